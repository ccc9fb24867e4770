import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { invoke } from '../../schema/define/invoke.ts'
import type { UnwrittenBytes } from '../limits/unwritten-bytes.ts'
import type { Route } from '../route/route.ts'
import { keepRecent } from './keep-recent.ts'
import type { ReadOverview } from './recent-overview.ts'
import { relayerFigures } from './relayer-figures.ts'

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export interface Metrics {
  observeRequest(request: { operation: string; status: number; seconds: number }): void
  /** `invoke` with a timer. It shows what a GraphQL request ran, because its HTTP status does not. */
  timed(run: typeof invoke): typeof invoke
  route: Route
}

/**
 * Registers the figures of the gateway and the relayer, and serves the registry at `/metrics`. It is written at most
 * once per `maxAgeMs`, for any number of clients.
 */
export function createMetrics(
  registry: Registry,
  overview: ReadOverview,
  { inFlight, unwritten }: { inFlight(): number; unwritten: Pick<UnwrittenBytes, 'total' | 'ended'> },
  maxAgeMs: number,
): Metrics {
  const registers = [registry]
  const written = keepRecent(() => registry.metrics(), maxAgeMs)
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const operations = new Histogram({
    name: 'graphql_operation_duration_seconds',
    help: 'Time that an operation took inside a GraphQL request, by outcome.',
    labelNames: ['operation', 'outcome'],
    buckets: BUCKETS,
    registers,
  })
  const current: Gauge = new Gauge({
    name: 'http_requests_in_flight',
    help: 'Operations that are being answered now.',
    registers,
    collect() {
      current.set(inFlight())
    },
  })
  const unread: Gauge = new Gauge({
    name: 'http_unwritten_bytes',
    help: 'Bytes of answers that clients have not read yet.',
    registers,
    collect() {
      unread.set(unwritten.total())
    },
  })
  const cutShort: Counter = new Counter({
    name: 'http_answers_ended_unread_total',
    help: 'Answers that ended because all clients together had too much to read.',
    registers,
    collect() {
      cutShort.reset()
      cutShort.inc(unwritten.ended())
    },
  })
  for (const { name, help, labelNames, read } of relayerFigures) {
    const gauge = new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        gauge.reset()
        for (const { labels, value } of read(await overview())) gauge.set(labels, value)
      },
    })
  }

  return {
    observeRequest: ({ operation, status, seconds }) => requests.observe({ operation, status }, seconds),
    timed: (run) => async (operation, input, context) => {
      const end = operations.startTimer({ operation: operation.name })
      try {
        const answer = await run(operation, input, context)
        end({ outcome: 'answered' })
        return answer
      } catch (error) {
        end({ outcome: 'failed' })
        throw error
      }
    },
    route: {
      method: 'GET',
      path: '/metrics',
      name: 'metrics',
      background: true,
      handle: async () => ({
        status: 200,
        headers: { 'content-type': registry.contentType },
        body: await written(),
      }),
    },
  }
}
