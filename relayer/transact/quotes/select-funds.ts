import { type Address, bytesToBigInt } from 'viem'
import { randomBytes } from 'node:crypto'

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
function groupCandidates(candidates: readonly Candidate[], { mixGroups }: SelectionRules): Candidate[][] {
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

/** Most that can be spent at once. */
export interface MostFundable {
  /** After network fees, before the service fee. */
  net: bigint
  /** Sum of the addresses' balances. */
  gross: bigint
  inputs: readonly Candidate[]
}

/** Returns the set that contributes most, of all sets that may be spent together. */
export function findMostFundable(candidates: readonly Candidate[], rules: SelectionRules): MostFundable {
  let most: MostFundable = { net: 0n, gross: 0n, inputs: [] }
  for (const set of groupCandidates(candidates, rules)) {
    const useful = set.filter((candidate) => netOf(candidate) >= (rules.leastEach ?? 0n))
    const inputs = (useful.length > 0 ? useful : set.slice(0, 1)).slice(0, rules.maxInputs)
    const net = sumNet(inputs)
    if (net > most.net) most = { net, gross: inputs.reduce((sum, { free }) => sum + free, 0n), inputs }
  }
  return most
}

/** Payments of one address to the recipient and to the service; their sum leaves the address. */
export interface Share {
  input: Input
  toRecipient: bigint
  /** Its own network fee and a part of the service fee. */
  toService: bigint
}

/**
 * Splits a payment over its inputs. Each pays its own network fee and a share of the service fee in proportion to its
 * contribution; the shares add up exactly.
 */
export function sharePayment(inputs: readonly Input[], serviceFee: bigint): Share[] {
  const need = inputs.reduce((sum, { taken, cost }) => sum + taken - cost, 0n)
  let before = 0n
  return inputs.map((input) => {
    const contributed = input.taken - input.cost
    const after = before + contributed
    // If only gas is paid, there is nothing to split.
    const service = need === 0n ? 0n : (serviceFee * after) / need - (serviceFee * before) / need
    before = after
    return { input, toRecipient: contributed - service, toService: input.cost + service }
  })
}

/** Addresses of several groups that the user accepts to join, all of them; none unless the user named them. */
export type AcceptedMix = readonly Address[] | null | undefined

/**
 * Selects like {@link selectFunds}, from one group of candidates. If no group suffices, it joins several, provided that
 * the user named exactly the addresses that then pay.
 */
export function selectOfGroup(
  candidates: readonly Candidate[],
  need: bigint,
  rules: SelectionRules,
  accepted: AcceptedMix,
): Selection | null {
  const selection = selectFunds(candidates, need, { ...rules, mixGroups: false })
  if (selection) return selection
  const { among, isAll } = acceptedOf(candidates, accepted)
  const mixed = selectFunds(among, need, { ...rules, mixGroups: true })
  return mixed && isAll(mixed.inputs) ? mixed : null
}

/**
 * Finds the most like {@link findMostFundable}, of one group, or of the addresses that the user accepts to join if that
 * is more.
 */
export function findMostOfGroup(
  candidates: readonly Candidate[],
  rules: SelectionRules,
  accepted: AcceptedMix,
): MostFundable {
  const most = findMostFundable(candidates, { ...rules, mixGroups: false })
  const { among, isAll } = acceptedOf(candidates, accepted)
  const mixed = findMostFundable(among, { ...rules, mixGroups: true })
  return mixed.net > most.net && isAll(mixed.inputs) ? mixed : most
}

function acceptedOf(candidates: readonly Candidate[], accepted: AcceptedMix) {
  const wanted = new Set<string>(accepted ?? [])
  return {
    among: candidates.filter(({ address }) => wanted.has(address)),
    isAll: (inputs: readonly Candidate[]) => inputs.length === wanted.size,
  }
}

/** Largest rest, as one part in so many of the amount: wallets accept a twentieth, rounding included. */
const MOST = 21n
const RANDOM_BYTES = 8

/**
 * Draws a random rest by which several addresses that pay apart lower their sum, smallest unit: at least 1, less than a
 * twentieth. Their payments are public, and would otherwise add up to the amount that the user typed.
 * @param random Unpredictable random bytes.
 */
export function drawRest(amount: bigint, random: (size: number) => Uint8Array = randomBytes): bigint {
  const most = amount / MOST
  return 1n + ((most > 0n ? most - 1n : 0n) * bytesToBigInt(random(RANDOM_BYTES))) / (1n << 64n)
}

/**
 * Lowers one input by `by`: the last, which keeps the change, or the largest if the last would contribute less than
 * `leastEach`. Null if both would.
 */
export function lowerSum({ inputs, dust }: Selection, by: bigint, leastEach: bigint): Selection | null {
  const contributed = ({ taken, cost }: Input) => taken - cost
  const canGive = (input: Input) => contributed(input) - by >= leastEach
  const last = inputs.at(-1)
  const largest = inputs.reduce((most, input) => (contributed(input) > contributed(most) ? input : most))
  const giving = last && canGive(last) ? last : largest
  if (!canGive(giving)) return null
  const change = giving.free - giving.taken + by
  return {
    inputs: inputs.map((input) => (input === giving ? { ...input, taken: input.taken - by } : input)),
    dust:
      giving === last ? (change < giving.cost ? change : 0n) : dust + (change < giving.cost ? change : 0n),
  }
}
