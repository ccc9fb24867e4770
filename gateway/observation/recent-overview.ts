import type { WithdrawalsOverview, Withdrawals } from '../../relayer/pool/relay/withdrawals.ts'
import { keepRecent } from './keep-recent.ts'

export type ReadOverview = () => Promise<WithdrawalsOverview>

/** The service's figures, read at most once per `maxAgeMs`, however many pages and probes ask. */
export function createRecentOverview(withdrawals: Withdrawals, maxAgeMs: number): ReadOverview {
  return keepRecent(() => withdrawals.overview(), maxAgeMs)
}
