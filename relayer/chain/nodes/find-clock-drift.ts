import type { Chain } from './chain.ts'

/** Tolerated difference to the database's clock: instances that share it must agree so closely. Milliseconds. */
const MOST_OF_DATABASE_MS = 2_000
/** The same for chains, whose blocks come late by nature. */
const MOST_BEHIND_CHAIN_MS = 15_000
const MOST_AHEAD_OF_CHAIN_MS = 60_000
const BLOCKS_OF_DELAY = 20

/**
 * Says how far this machine's clock is off, by the clocks of the database and of the chains; null while it agrees. One chain of
 * several may have a clock of its own, so all must agree that it is off.
 * @param databaseMs Milliseconds that it is ahead of the database's clock; null while unknown.
 */
export function findClockDrift(
  databaseMs: number | null,
  chains: readonly Pick<Chain, 'clockAheadMs' | 'usualBlockMs'>[],
): string | null {
  if (databaseMs !== null && Math.abs(databaseMs) > MOST_OF_DATABASE_MS)
    return `it is ${describe(databaseMs)} that of the database`
  const known = chains.flatMap((chain) => {
    const aheadMs = chain.clockAheadMs()
    const delayMs = BLOCKS_OF_DELAY * (chain.usualBlockMs() ?? 0)
    return aheadMs === null ? [] : [{ aheadMs, most: Math.max(MOST_AHEAD_OF_CHAIN_MS, delayMs) }]
  })
  const [first] = known
  if (!first) return null
  const isOff =
    known.every(({ aheadMs, most }) => aheadMs > most) ||
    known.every(({ aheadMs }) => aheadMs < -MOST_BEHIND_CHAIN_MS)
  return isOff
    ? `it is ${describe(first.aheadMs)} the blocks of ${known.length === 1 ? 'the chain' : 'all chains'}`
    : null
}

function describe(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const size = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  return `${size} ${aheadMs > 0 ? 'ahead of' : 'behind'}`
}
