import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local server of Sourcify's signature API with answers that a test sets. It records the requests. */
export interface SignatureServer {
  url: string
  /** Paths and queries of the requests since the last call. */
  take(): readonly string[]
  /** Sets the names that it gives for a selector. */
  tell(selector: string, names: readonly { name: string; hasVerifiedContract?: boolean }[]): void
  /** Answers this instead, until null. */
  answerWith(answer: { status: number; body: string; headers?: Record<string, string> } | null): void
  stop(): Promise<void>
}

/** Starts it on a free port. */
export async function startSignatureServer(): Promise<SignatureServer> {
  const told: Record<string, readonly { name: string; hasVerifiedContract?: boolean }[]> = {}
  let asked: string[] = []
  let instead: Parameters<SignatureServer['answerWith']>[0] = null
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (instead) {
      response.writeHead(instead.status, instead.headers).end(instead.body)
      return
    }
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const selectors = (searchParams.get('function') ?? '').split(',')
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        ok: true,
        result: {
          event: {},
          function: Object.fromEntries(
            selectors.map((selector) => [
              selector,
              told[selector]?.map((one) => ({ filtered: false, ...one })) ?? null,
            ]),
          ),
        },
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const before = asked
      asked = []
      return before
    },
    tell: (selector, names) => {
      told[selector] = names
    },
    answerWith: (answer) => {
      instead = answer
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
