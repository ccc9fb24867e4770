import type { RelayTerms } from '../../pool/relay/withdrawals.ts'

/** Most notes of one spend: each is a separate withdrawal with its own fee. */
export const MAX_NOTES = 8

const BPS = 10_000n

/** A note that can be spent. Amounts in the token's smallest unit. */
export interface SpendableNote {
  id: string
  value: bigint
  /** Orders notes of one value. */
  depositIndex: number | null
}

/** Amount that leaves one note, and the part of it that arrives. */
export interface SpendPart<Note extends SpendableNote> {
  note: Note
  withdraws: bigint
  receives: bigint
  feeBps: bigint
}

/** A plan, or the reason why there is none. `maxSendable` is the most that would arrive. */
export type SpendPlan<Note extends SpendableNote> =
  | { kind: 'planned'; parts: readonly SpendPart<Note>[] }
  | { kind: 'too-little'; available: bigint }
  | { kind: 'fees-exceed'; maxSendable: bigint }
  | { kind: 'too-small'; minAmount: bigint | null; maxSendable: bigint }

/** Returns the part of a withdrawal that arrives: the Entrypoint rounds the fee down. */
export const receivedOf = (withdrawn: bigint, feeBps: bigint): bigint =>
  withdrawn - (withdrawn * feeBps) / BPS

/** Returns the least withdrawal of which `net` arrives at that fee. */
const grossOf = (net: bigint, feeBps: bigint): bigint => ((net - 1n) * BPS) / (BPS - feeBps) + 1n

type Terms = RelayTerms

/**
 * Returns the withdrawal of which at least `receives` arrives, at the fee of that very amount. Fees move in whole basis
 * points, so up to one basis point more may arrive. Null if that is below the least withdrawal of a relay, or if its
 * fee is too high.
 */
export function withdrawalFor(receives: bigint, terms: Terms, least: bigint): bigint | null {
  const { baseFeeBps, maxFeeBps, feeBps } = terms
  const at = (bps: bigint) => maxOf(grossOf(receives, bps), least)
  let bps = baseFeeBps
  // Ascends: a fee leads to an amount, which may need a higher fee.
  while (bps <= maxFeeBps && feeBps(at(bps)) > bps) bps = feeBps(at(bps))
  if (bps > maxFeeBps) return null
  while (bps > baseFeeBps && feeBps(at(bps - 1n)) <= bps - 1n) bps -= 1n
  return receivedOf(least, feeBps(least)) > receives ? null : at(bps)
}

/**
 * Chooses the notes that pay, and the amount of each. One if one suffices, else as few as possible, in parts as equal
 * as they allow.
 *
 * Of single notes that suffice it prefers those with a spendable rest, then an emptied one. Notes with a rest too small
 * to spend come last. Among equals it chooses the smallest.
 *
 * @param amount Amount that is to arrive, above zero; `max` empties the notes that give the most.
 */
export function planSpend<Note extends SpendableNote>(
  notes: readonly Note[],
  amount: bigint | 'max',
  terms: Terms,
): SpendPlan<Note> {
  const available = notes.reduce((sum, { value }) => sum + value, 0n)
  if (available === 0n || (amount !== 'max' && available < amount)) return { kind: 'too-little', available }
  const least = terms.leastAmount
  if (least === null) return { kind: 'too-small', minAmount: null, maxSendable: 0n }
  const usable = largestFirst(notes.filter(({ value }) => value >= least)).slice(0, MAX_NOTES)
  const emptied = usable.map((note): SpendPart<Note> => {
    const feeBps = terms.feeBps(note.value)
    return { note, withdraws: note.value, receives: receivedOf(note.value, feeBps), feeBps }
  })
  const maxSendable = emptied.reduce((sum, { receives }) => sum + receives, 0n)
  const tooSmall = {
    kind: 'too-small',
    minAmount: receivedOf(least, terms.feeBps(least)),
    maxSendable,
  } as const
  if (amount === 'max') return emptied.length > 0 ? { kind: 'planned', parts: emptied } : tooSmall

  const withdraws = withdrawalFor(amount, terms, least)
  // Parts of an amount that is too small are smaller still.
  if (withdraws === null) return tooSmall
  const single = chooseSingle(notes, withdraws, least)
  if (single) return { kind: 'planned', parts: [partOf(single, withdraws, terms)] }
  for (let count = 2; count <= emptied.length; count += 1) {
    const parts = shareOut(emptied.slice(0, count), amount, { terms, least })
    if (parts) return { kind: 'planned', parts }
  }
  return maxSendable < amount ? { kind: 'fees-exceed', maxSendable } : tooSmall
}

function chooseSingle<Note extends SpendableNote>(
  notes: readonly Note[],
  withdraws: bigint,
  least: bigint,
): Note | undefined {
  const rankOf = ({ value }: Note) => (value - withdraws >= least ? 0 : value === withdraws ? 1 : 2)
  const fit = largestFirst(notes.filter(({ value }) => value >= withdraws)).toReversed()
  return fit.toSorted((one, other) => rankOf(one) - rankOf(other))[0]
}

/**
 * Shares an amount out to these notes; null if they cannot give it together, each at least a relay's least withdrawal.
 */
function shareOut<Note extends SpendableNote>(
  emptied: readonly SpendPart<Note>[],
  amount: bigint,
  { terms, least }: { terms: Terms; least: bigint },
): SpendPart<Note>[] | null {
  if (emptied.reduce((sum, { receives }) => sum + receives, 0n) < amount) return null
  // From the smallest on, each gives an equal share of the rest, or everything that it can.
  let left = amount
  const smallestFirst = emptied.toReversed()
  const shares = smallestFirst.map(({ receives }, place) => {
    const share = minOf(receives, left / BigInt(smallestFirst.length - place))
    left -= share
    return share
  })
  const parts = smallestFirst.map((part, place) => {
    const receives = shares[place] ?? 0n
    if (receives === part.receives) return part
    const withdraws = receives > 0n ? withdrawalFor(receives, terms, least) : null
    return withdraws === null || withdraws > part.note.value ? null : partOf(part.note, withdraws, terms)
  })
  return parts.every((part) => part !== null) ? parts.toReversed() : null
}

function partOf<Note extends SpendableNote>(note: Note, withdraws: bigint, terms: Terms): SpendPart<Note> {
  const feeBps = terms.feeBps(withdraws)
  return { note, withdraws, receives: receivedOf(withdraws, feeBps), feeBps }
}

const largestFirst = <Note extends SpendableNote>(notes: readonly Note[]): Note[] =>
  notes.toSorted(
    (one, other) =>
      compare(other.value, one.value) ||
      (other.depositIndex ?? Infinity) - (one.depositIndex ?? Infinity) ||
      compare(one.id, other.id),
  )

const compare = <Value extends bigint | string>(one: Value, other: Value) =>
  one < other ? -1 : one > other ? 1 : 0
const maxOf = (one: bigint, other: bigint) => (one > other ? one : other)
const minOf = (one: bigint, other: bigint) => (one < other ? one : other)
