import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import { createMemoryState } from '../../db/shared-state/create-memory-state.ts'
import { createHttpServer, type HttpServerOptions } from '../../gateway/http/create-http-server.ts'
import { httpConfig } from '../../gateway/http/http-config.ts'
import { createLogger } from '../../gateway/logging.ts'
import type { Health } from '../../gateway/observation/health-routes.ts'
import { createRecentOverview } from '../../gateway/observation/recent-overview.ts'
import type { Services } from '../../relayer/services.ts'
import { createMemoryWithdrawals, type MemoryWithdrawals } from './memory-withdrawals.ts'
import { partialServices } from './partial-services.ts'

export interface OpenGateway {
  url: string
  /** URL of the operator's pages if they have a port of their own. */
  operatorUrl: string | null
  withdrawals: MemoryWithdrawals
  /** Parsed lines of the log. */
  log: Record<string, unknown>[]
  health: Health
  close(graceMs?: number): Promise<void>
}

/** Opens a gateway as `startGateway` does. It is closed when the test ends. */
export const openGateway: typeof startGateway = async (...given) => {
  const gateway = await startGateway(...given)
  onTestFinished(() => gateway.close())
  return gateway
}

/**
 * Starts a gateway on a free port over a relayer that keeps its state in memory, and the other services that the test
 * gives. Making its graph costs some 80 ms of CPU: files that only ask it share one.
 */
export async function startGateway(
  config: Record<string, unknown> = {},
  services: Partial<Services> = {},
  parts: Partial<
    Pick<
      HttpServerOptions,
      | 'sharedState'
      | 'idempotency'
      | 'usage'
      | 'orders'
      | 'indexing'
      | 'health'
      | 'operatorDoor'
      | 'graphqlPlugins'
      | 'tracing'
      | 'wallet'
    >
  > = {},
): Promise<OpenGateway> {
  const withdrawals = createMemoryWithdrawals()
  const log: Record<string, unknown>[] = []
  const health: Health = { ready: true, canSend: {}, checks: { database: { ok: true } } }
  const logger = createLogger({
    level: 'debug',
    destination: { write: (line) => void log.push(JSON.parse(line)) },
  })
  const options: HttpServerOptions = {
    services: partialServices({ withdrawals, ...services }),
    sharedState: createMemoryState(logger),
    idempotency: {
      once: () => Promise.reject(new Error('this test has no idempotency')),
    },
    health: async () => health,
    ...parts,
    overview: createRecentOverview(services.withdrawals ?? withdrawals, 1_000),
    registry: new Registry(),
    logger,
    // A busy machine changes no answer.
    config: httpConfig.parse({ answerWithinMs: 120_000, ...config }),
    describe: () => ({ version: '0.0.0-test', database: 'embedded' }),
  }
  const server = await createHttpServer(options)
  const { url } = await server.listen(0, '127.0.0.1')
  const { operator } = server
  const operatorUrl = operator && (await operator.listen(0, '127.0.0.1')).url
  let closed: Promise<void> | undefined
  const close = (graceMs = 0) =>
    (closed ??= Promise.all([server.close(graceMs), operator?.close(graceMs)]).then(() => {}))
  return { url, operatorUrl, withdrawals, log, health, close }
}
