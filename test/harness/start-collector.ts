import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A span as OTLP has it in JSON. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  events: { name: string }[]
  status: { code: number }
}

export interface Collector {
  /** For `tracing.endpoint`. */
  url: string
  spans(): readonly ReceivedSpan[]
  /** All that was sent: the bodies, and the headers. */
  received(): string
  /** The HTTP status that it answers from now on. */
  answer(status: number): void
  close(): Promise<void>
}

interface Export {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[]
}

/** Starts a receiver of traces, as a collector of OpenTelemetry is. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = []
  const headers: string[] = []
  let status = 200
  const server = createServer((incoming, outgoing) => {
    buffer(incoming).then(
      (body) => {
        headers.push(`${incoming.method} ${incoming.url} ${JSON.stringify(incoming.headers)}`)
        if (status === 200) bodies.push(body.toString())
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      },
      () => outgoing.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    received: () => [...headers, ...bodies].join('\n'),
    answer: (next) => (status = next),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An attribute of a span as text; undefined if it has none. */
export function attributeOf({ attributes }: ReceivedSpan, name: string): string | undefined {
  const value = attributes.find(({ key }) => key === name)?.value
  const found = value?.stringValue ?? value?.intValue
  return found === undefined ? undefined : String(found)
}
