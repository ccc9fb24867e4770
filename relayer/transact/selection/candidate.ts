import type { Address } from 'viem'

/** An address that could fund a payment. Amounts in the smallest unit of the one token that is sent. */
export interface Candidate {
  address: Address
  derivationNonce: number
  /** Balance without the amounts that quotes have locked. */
  free: bigint
  /** Addition to the network fee if the payment spends from it. */
  cost: bigint
  /** Provenance of its funds; addresses of different groups are spent together only on request. */
  group: string | null
  /** An app knows it, so it is spent together with no other, even if the user accepts more. */
  isShown?: boolean
}

/** Limits on a choice of funds. */
export interface SelectionRules {
  /** Most addresses that one payment may spend from. */
  maxInputs: number
  /** Allows groups to be spent together. */
  mixGroups: boolean
  /** Least contribution of each of several addresses. */
  leastEach?: bigint
}

/** Returns the contribution of an address after its own fee. */
export const netOf = ({ free, cost }: Candidate): bigint => free - cost

/**
 * Groups candidates that may be spent together, the largest contribution first; addresses that contribute nothing are
 * dropped.
 */
export function groupCandidates(
  candidates: readonly Candidate[],
  { mixGroups }: SelectionRules,
): Candidate[][] {
  const useful = candidates.filter((candidate) => netOf(candidate) > 0n)
  const [shown = [], others = []] = [true, false].map((isShown) =>
    useful.filter((candidate) => (candidate.isShown ?? false) === isShown),
  )
  const sets = mixGroups ? [others] : [...Map.groupBy(others, ({ group }) => group).values()]
  return [...sets, ...shown.map((candidate) => [candidate])].map((set) => set.toSorted(byContribution))
}

/** Sorts the largest contribution first; equal ones by their nonces, so that one wallet always gets the same choice. */
function byContribution(one: Candidate, other: Candidate): number {
  const difference = netOf(other) - netOf(one)
  if (difference === 0n) return one.derivationNonce - other.derivationNonce
  return difference > 0n ? 1 : -1
}

/** Sums the contributions of candidates after their own fees, in the token's smallest unit. */
export const sumNet = (candidates: readonly Candidate[]) =>
  candidates.reduce((sum, candidate) => sum + netOf(candidate), 0n)
