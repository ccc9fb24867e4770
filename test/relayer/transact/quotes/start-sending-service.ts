import type { DestinationStream } from 'pino'
import { OWN_LIMITS } from '../../account/open-account.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'

/** A longer simulation is aborted and its quote answers 503; on a busy machine simulations take seconds. */
const PATIENT = { simulateTimeoutMs: 30_000 }

/** The whole service on a devnet whose clock is the real one: intents expire by the chain's clock, quotes by the service's. */
export function startSendingService(
  { transact = {}, ...settings }: { transact?: Record<string, unknown>; [name: string]: unknown } = {},
  log?: DestinationStream,
): Promise<TestService> {
  return startTestService(
    {
      devnet: { ports: [0, 0], asp: false, chainIds: [31_337] },
      ...OWN_LIMITS,
      feeWaivers: { waiverDays: 0 },
      ...settings,
      transact: { ...PATIENT, ...transact },
    },
    { ...(log && { log }) },
  )
}
