import type { WithdrawalsOverview, Withdrawals } from '../../relayer/withdrawals/withdrawals.ts'

export type ReadOverview = () => Promise<WithdrawalsOverview>

/** The service's figures, read at most once per `maxAgeMs` however many pages and probes look at them. */
export function createRecentOverview(withdrawals: Withdrawals, maxAgeMs: number): ReadOverview {
  let latest: { readAt: number; overview: Promise<WithdrawalsOverview> } | undefined
  return () => {
    const now = performance.now()
    if (!latest || now - latest.readAt > maxAgeMs) {
      const reading = { readAt: now, overview: withdrawals.overview() }
      latest = reading
      reading.overview.catch(() => {
        if (latest === reading) latest = undefined
      })
    }
    return latest.overview
  }
}
