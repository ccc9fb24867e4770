import { OWN_LIMITS } from '../../account/open-account.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'

/** The whole service on a devnet with the time of day: intents expire by the chain's clock, quotes by ours. */
export function startSendingService(settings: Record<string, unknown> = {}): Promise<TestService> {
  return startTestService({
    devnet: { ports: [0, 0], asp: false, chainIds: [31_337] },
    ...OWN_LIMITS,
    feeWaivers: { waiverDays: 0 },
    ...settings,
  })
}
