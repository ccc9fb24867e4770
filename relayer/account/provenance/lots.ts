import { zeroAddress, type Address, type Hex } from 'viem'
import { type Root, NO_ROOTS, OLDER_ROOTS, uniteRoots } from './movements.ts'

/** Maximum of lots per holding; beyond it the two oldest merge and keep their sources. */
export const MAX_LOTS = 64

/** How a lot arrived: `action` by an action of the account through the service, `carried` by a move between its addresses. */
export type LotKind = 'fresh' | 'private' | 'action' | 'carried' | 'older' | 'mixed'

/** A part of a holding that arrived at once. */
export interface Lot {
  /** Smallest unit. */
  amount: bigint
  /** The address of the account that it arrived at; the zero address for funds from before the known history. */
  to: Address
  kind: LotKind
  /** Its original sources. */
  roots: ReadonlySet<Root>
  /** The account's addresses that it came from directly or, for money from outside, arrived at. */
  direct: ReadonlySet<Root>
  /** Kinds of the account's own activity that brought it. */
  actions: ReadonlySet<string>
  /** True if the account did not ask for it. */
  isUnsolicited: boolean
  /** The transfer that brought it, the first of several; null for funds from before the known history. */
  receipt: Receipt | null
}

/** The place on a chain where funds arrived. */
export interface Receipt {
  chainId: number
  txHash: Hex
  index: number
}

/** Adds a lot to a holding. */
export function addLot(lots: readonly Lot[], lot: Lot): readonly Lot[] {
  const all = [...lots, lot]
  const [first, second, ...rest] = all
  return all.length > MAX_LOTS && first && second ? [mergeLots(first, second), ...rest] : all
}

/** Merges two lots. An unsolicited lot adds only its amount to a solicited one. */
function mergeLots(one: Lot, other: Lot): Lot {
  const amount = one.amount + other.amount
  if (one.isUnsolicited !== other.isUnsolicited) return { ...(one.isUnsolicited ? other : one), amount }
  return {
    amount,
    to: one.to,
    kind: one.kind === other.kind ? one.kind : 'mixed',
    roots: uniteRoots(one.roots, other.roots),
    direct: uniteRoots(one.direct, other.direct),
    actions: one.actions.union(other.actions),
    isUnsolicited: one.isUnsolicited,
    receipt: one.receipt ?? other.receipt,
  }
}

/** Takes an amount out of a holding, first in, first out; an amount beyond the known lots counts as older. */
export function takeLots(
  lots: readonly Lot[],
  amount: bigint,
): { left: readonly Lot[]; taken: readonly Lot[] } {
  const left: Lot[] = []
  const taken: Lot[] = []
  let wanted = amount
  for (const lot of lots) {
    const part = lot.amount < wanted ? lot.amount : wanted
    if (part > 0n) taken.push({ ...lot, amount: part })
    if (part < lot.amount) left.push({ ...lot, amount: lot.amount - part })
    wanted -= part
  }
  if (wanted > 0n) taken.push(olderLot(wanted))
  return { left, taken }
}

/** Returns the original sources of lots. Unsolicited lots are no source. */
export const rootsOf = (lots: readonly Lot[]): ReadonlySet<Root> =>
  lots.reduce((sum, { roots, isUnsolicited }) => (isUnsolicited ? sum : uniteRoots(sum, roots)), NO_ROOTS)

/** Fits lots to the balance on the chain: drops the oldest excess, or adds an `older` lot for the difference. */
export function fitLots(lots: readonly Lot[], held: bigint): readonly Lot[] {
  const known = lots.reduce((sum, { amount }) => sum + amount, 0n)
  if (known > held) return takeLots(lots, known - held).left
  return known < held ? [olderLot(held - known), ...lots] : lots
}

const olderLot = (amount: bigint): Lot => ({
  amount,
  to: zeroAddress,
  kind: 'older',
  roots: OLDER_ROOTS,
  direct: OLDER_ROOTS,
  actions: new Set(),
  isUnsolicited: false,
  receipt: null,
})
