import { OWN_LIMITS } from '../../account/open-account.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'

/** A run that takes longer is given up, and its quote answers 503: on a machine that does much else it takes seconds. */
const PATIENT = { simulateTimeoutMs: 30_000 }

/** The whole service on a devnet with the time of day: intents expire by the chain's clock, quotes by ours. */
export function startSendingService({
  transact = {},
  ...settings
}: { transact?: Record<string, unknown>; [name: string]: unknown } = {}): Promise<TestService> {
  return startTestService({
    devnet: { ports: [0, 0], asp: false, chainIds: [31_337] },
    ...OWN_LIMITS,
    feeWaivers: { waiverDays: 0 },
    ...settings,
    transact: { ...PATIENT, ...transact },
  })
}
