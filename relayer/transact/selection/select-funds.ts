import { groupCandidates, netOf, sumNet, type Candidate, type SelectionRules } from './candidate.ts'

/** Part of a payment that one address funds. */
export interface Input extends Candidate {
  /** Amount that leaves the address. */
  taken: bigint
}

/** The chosen addresses, in the order of spending. Amounts in the token's smallest unit. */
export interface Selection {
  inputs: readonly Input[]
  /** Rest that costs more to spend than it is worth. */
  dust: bigint
}

/**
 * Chooses addresses that pay `need` and their own fees; null if none can.
 *
 * One address if one suffices, the smallest of these that leaves no dust. Otherwise as few as possible: those that
 * contribute most, and as the last one the smallest that suffices. All are emptied except the last, which keeps the
 * change.
 * @param need Amount for the recipient and the service; 0 if the address pays its own fee alone.
 */
export function selectFunds(
  candidates: readonly Candidate[],
  need: bigint,
  rules: SelectionRules,
): Selection | null {
  const sets = groupCandidates(candidates, rules)
  const single = pickSmallest(sets.flat(), need)
  if (single) return take([single], need)
  const joined = sets
    .map((set) => selectFewest(set, need, rules))
    .filter((inputs) => inputs !== null)
    .toSorted((one, other) => one.length - other.length || (sumNet(one) < sumNet(other) ? -1 : 1))
  const [best] = joined
  return best ? raiseLast(take(best, need), rules.leastEach ?? 0n) : null
}

/** Picks the smallest candidate that contributes `need`, preferably without dust. */
function pickSmallest(candidates: readonly Candidate[], need: bigint): Candidate | null {
  const enough = candidates
    .filter((candidate) => netOf(candidate) >= need)
    .toSorted((one, other) => compare(one.free, other.free) || one.derivationNonce - other.derivationNonce)
  return enough.find((candidate) => !isDust(netOf(candidate) - need, candidate)) ?? enough[0] ?? null
}

/** Selects at least two of a set sorted by contribution; the caller has excluded that one suffices. */
function selectFewest(
  set: readonly Candidate[],
  need: bigint,
  { maxInputs, leastEach = 0n }: SelectionRules,
): Candidate[] | null {
  const chosen: Candidate[] = []
  const useful = set.filter((candidate) => netOf(candidate) >= leastEach)
  let sum = 0n
  for (const candidate of useful.slice(0, maxInputs)) {
    if (sum + netOf(candidate) >= need) {
      const rest = need - sum > leastEach ? need - sum : leastEach
      const last = pickSmallest(useful.slice(chosen.length), rest) ?? candidate
      return [...chosen, last]
    }
    chosen.push(candidate)
    sum += netOf(candidate)
  }
  return null
}

/** Empties all but the last. The last contributes more than the change, else it would not be needed. */
function take(chosen: readonly Candidate[], need: bigint): Selection {
  const change = sumNet(chosen) - need
  const inputs = chosen.map((candidate, index) => ({
    ...candidate,
    taken: index === chosen.length - 1 ? candidate.free - change : candidate.free,
  }))
  const last = chosen.at(-1)
  return { inputs, dust: last && isDust(change, last) ? change : 0n }
}

/**
 * Raises the last input to the least contribution, at the expense of those before it, the largest first. Null if these
 * would then contribute too little.
 */
function raiseLast({ inputs, dust }: Selection, leastEach: bigint): Selection | null {
  const contributed = ({ taken, cost }: Input) => taken - cost
  const last = inputs.at(-1)
  let missing = last ? leastEach - contributed(last) : 0n
  if (!last || missing <= 0n) return { inputs, dust }
  const raised = { ...last, taken: last.taken + missing }
  const lowered = inputs.slice(0, -1).map((input) => {
    const spare = contributed(input) - leastEach
    const given = spare < missing ? spare : missing
    missing -= given
    return { ...input, taken: input.taken - given }
  })
  return missing > 0n ? null : { inputs: [...lowered, raised], dust: 0n }
}

/** True for a rest that costs more to spend than it is worth. */
const isDust = (change: bigint, { cost }: Candidate) => change > 0n && change < cost

const compare = (one: bigint, other: bigint) => (one < other ? -1 : one > other ? 1 : 0)
