import type { GasShare } from '../../../db/chain/unpaid-gas/gas-budget.ts'

/** Gas by share. */
export type GasByShare = Readonly<Record<GasShare, bigint>>

/** No gas in any share. */
export const NO_GAS: GasByShare = { relay: 0n, new: 0n, proven: 0n, plain: 0n }

/** Of the budget: how much of it all losses together may be, those at recipients without code included. */
const ALL_LOSSES = 4n
/**
 * Gas per hour from which the limit for all losses is computed where the budget is 0: such a chain serves no
 * contracts, but still plain addresses.
 */
const USUAL_BUDGET = 10_000_000n

interface Limit {
  of: readonly GasShare[]
  most: bigint
}

const SENDS: readonly GasShare[] = ['new', 'proven']
const TO_CONTRACTS: readonly GasShare[] = ['relay', 'new', 'proven']
const ALL: readonly GasShare[] = [...TO_CONTRACTS, 'plain']

/**
 * What bounds a share of a chain's budget: relays have half of it at most, accounts that are new a quarter together, all
 * sends three quarters, so that relays always have a quarter, and all to contracts the whole; everything together has
 * {@link ALL_LOSSES} times as much.
 */
function limitsOf(share: GasShare, budget: bigint): readonly Limit[] {
  const all = { of: ALL, most: ALL_LOSSES * (budget > 0n ? budget : USUAL_BUDGET) }
  if (share === 'plain') return [all]
  const whole = { of: TO_CONTRACTS, most: budget }
  if (share === 'relay') return [{ of: [share], most: budget / 2n }, whole, all]
  const sends = { of: SENDS, most: (3n * budget) / 4n }
  if (share === 'proven') return [sends, whole, all]
  return [{ of: [share], most: budget / 4n }, sends, whole, all]
}

/** Gas by which so much more would exceed the tightest limit of its share; 0 where it fits. */
export function excessOf(share: GasShare, used: GasByShare, gas: bigint, budget: bigint): bigint {
  return limitsOf(share, budget).reduce((most, limit) => {
    const excess = sumOf(limit.of, used) + gas - limit.most
    return excess > most ? excess : most
  }, 0n)
}

/** Gas that one transaction of a share may have where nothing else is used: more never fits. */
export const mostOf = (share: GasShare, budget: bigint) =>
  limitsOf(share, budget)
    .map(({ most }) => most)
    .reduce((least, most) => (most < least ? most : least))

/** The gas of several shares together. */
const sumOf = (shares: readonly GasShare[], used: GasByShare) =>
  shares.reduce((sum, share) => sum + used[share], 0n)

/** Gas to contracts, by which the budget is metered. */
export const gasToContracts = (used: GasByShare) => sumOf(TO_CONTRACTS, used)

/** Per cent of the limit that is used most, below 100. */
export function partUsed(lost: GasByShare, budget: bigint): number {
  const limits = (['relay', 'new', 'proven', 'plain'] as const).flatMap((share) => limitsOf(share, budget))
  const parts = limits.map(({ of, most }) => (most === 0n ? 0n : (100n * sumOf(of, lost)) / most))
  return Math.min(99, Number(parts.reduce((most, part) => (part > most ? part : most), 0n)))
}

/**
 * Seconds until enough losses have expired to make room, `losses` being the oldest first; null where only
 * transactions under way block it.
 */
export function secondsUntilRoom(
  share: GasShare,
  { used, gas, budget }: { used: GasByShare; gas: bigint; budget: bigint },
  losses: readonly { share: GasShare; gas: bigint; endsInSeconds: number }[],
): number | null {
  const left = { ...used }
  for (const loss of losses) {
    left[loss.share] -= loss.gas
    if (excessOf(share, left, gas, budget) === 0n) return Math.max(1, loss.endsInSeconds)
  }
  return null
}
