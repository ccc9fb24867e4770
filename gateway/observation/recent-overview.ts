import type { WithdrawalsOverview, Withdrawals } from '../../relayer/pool/relay/withdrawals.ts'
import { keepRecent } from './keep-recent.ts'

export type ReadOverview = () => Promise<WithdrawalsOverview>

/** The service's figures, read at most once per `maxAgeMs`, for any number of pages and probes. */
export function createRecentOverview(withdrawals: Withdrawals, maxAgeMs: number): ReadOverview {
  return keepRecent(() => withdrawals.overview(), maxAgeMs)
}
