import type { Address } from 'viem'

/** An address that could fund a payment. Amounts in the smallest unit of the one token that is sent. */
export interface Candidate {
  address: Address
  derivationNonce: number
  /** What it has and has not promised. */
  free: bigint
  /** What spending from it adds to the network fee. */
  cost: bigint
  /** Provenance of its funds; addresses of different groups are spent together only on request. */
  group: string | null
  /** An app knows it, so it is spent together with no other, whatever the user accepts. */
  isShown?: boolean
}

/** What limits a choice of funds. */
export interface SelectionRules {
  /** Addresses that one payment may spend from. */
  maxInputs: number
  /** Lets groups be spent together. */
  mixGroups: boolean
  /** What each of several has to contribute at least. */
  leastEach?: bigint
}

/** What an address can contribute once its own fee is paid. */
export const netOf = ({ free, cost }: Candidate): bigint => free - cost

/** Sets of candidates that may be spent together, each from the one that contributes most; the useless are left out. */
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

/** The most first; equal ones in the order of their nonces, so that the same wallet always gives the same choice. */
function byContribution(one: Candidate, other: Candidate): number {
  const difference = netOf(other) - netOf(one)
  if (difference === 0n) return one.derivationNonce - other.derivationNonce
  return difference > 0n ? 1 : -1
}

/** What the candidates contribute together once their own fees are paid, in the token's smallest unit. */
export const sumNet = (candidates: readonly Candidate[]) =>
  candidates.reduce((sum, candidate) => sum + netOf(candidate), 0n)
