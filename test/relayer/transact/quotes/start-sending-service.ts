import type { DestinationStream } from 'pino'
import { OWN_LIMITS } from '../../account/open-account.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'

/** The whole service on a devnet whose clock is the real one: intents expire by the chain's clock, quotes by the service's. */
export function startSendingService(
  settings: Record<string, unknown> = {},
  log?: DestinationStream,
): Promise<TestService> {
  return startTestService(
    {
      devnet: { ports: [0, 0], asp: false, chainIds: [31_337] },
      ...OWN_LIMITS,
      feeWaivers: { waiverDays: 0 },
      ...settings,
    },
    { ...(log && { log }) },
  )
}
