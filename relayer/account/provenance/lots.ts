import type { Hex } from 'viem'
import { OLDER, type Root } from './movements.ts'

/** Parts that a holding is remembered in; of more, the oldest become one and keep their sources. */
export const MAX_LOTS = 64

/** How a part of a holding came: `action` by something that the account did through the service, `carried` by moving it. */
export type LotKind = 'fresh' | 'private' | 'action' | 'carried' | 'older' | 'mixed'

/** A part of a holding that came at once. */
export interface Lot {
  /** Smallest unit. */
  amount: bigint
  kind: LotKind
  /** Where it comes from in the end. */
  roots: ReadonlySet<Root>
  /** The account's addresses that it came from or, for money from outside, arrived at. */
  direct: ReadonlySet<string>
  /** Kinds of the account's own activity that brought it. */
  actions: ReadonlySet<string>
  /** Nobody asked for it. */
  isUnsolicited: boolean
  /** The transfer that brought it, the first of several; null for what was there before. */
  receipt: Receipt | null
}

/** Where the chain shows that something arrived. */
export interface Receipt {
  chainId: number
  txHash: Hex
  index: number
}

/** The holding with one more part. */
export function addLot(lots: readonly Lot[], lot: Lot): readonly Lot[] {
  const all = [...lots, lot]
  const [first, second, ...rest] = all
  return all.length > MAX_LOTS && first && second ? [mergeLots(first, second), ...rest] : all
}

function mergeLots(one: Lot, other: Lot): Lot {
  return {
    amount: one.amount + other.amount,
    kind: one.kind === other.kind ? one.kind : 'mixed',
    roots: one.roots.union(other.roots),
    direct: one.direct.union(other.direct),
    actions: one.actions.union(other.actions),
    isUnsolicited: one.isUnsolicited && other.isUnsolicited,
    receipt: one.receipt ?? other.receipt,
  }
}

/**
 * Takes an amount out of a holding, first in, first out. What nobody asked for is taken like the rest and is no source; more
 * than is known counts as older.
 */
export function takeLots(
  lots: readonly Lot[],
  amount: bigint,
): { left: readonly Lot[]; roots: ReadonlySet<Root> } {
  const left: Lot[] = []
  let roots: ReadonlySet<Root> = new Set<Root>()
  let wanted = amount
  for (const lot of lots) {
    const part = lot.amount < wanted ? lot.amount : wanted
    if (part > 0n && !lot.isUnsolicited) roots = roots.union(lot.roots)
    wanted -= part
    if (part < lot.amount) left.push({ ...lot, amount: lot.amount - part })
  }
  return { left, roots: wanted > 0n ? roots.union(new Set<Root>([OLDER])) : roots }
}

/** Parts that come to what the chain says is held: the oldest go where they are too much, and `older` is added for too little. */
export function fitLots(lots: readonly Lot[], held: bigint): readonly Lot[] {
  const known = lots.reduce((sum, { amount }) => sum + amount, 0n)
  if (known > held) return takeLots(lots, known - held).left
  return known < held ? [olderLot(held - known), ...lots] : lots
}

const olderLot = (amount: bigint): Lot => ({
  amount,
  kind: 'older',
  roots: new Set([OLDER]),
  direct: new Set([OLDER]),
  actions: new Set(),
  isUnsolicited: false,
  receipt: null,
})
