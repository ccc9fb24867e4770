import type { Act } from '../../../db/chain/indexer/own-acts.ts'
import type { TransferRow } from '../../../db/chain/indexer/rows.ts'

/** The position of a movement in its transaction. */
export type Place = Pick<TransferRow, 'source' | 'position' | 'item'>

/** True if a movement is certainly part of the act; no other party of the transaction can fake that. */
export function isCertainlyWithin({ bounds }: Act, { source, position, item }: Place): boolean {
  if (bounds === null) return true
  const { firstLog, lastLog, firstMove, lastMove } = bounds
  if (source === 'log') return firstLog !== null && firstLog <= position && position <= lastLog
  return firstMove !== null && lastMove !== null && firstMove <= item && item <= lastMove
}

/**
 * True if a movement may be part of the act, as far as the bounds are known. An observer in doubt joins the two. The
 * first call is the transaction itself and belongs to its sender.
 */
function mayBeWithin(one: Act, place: Place): boolean {
  const { bounds } = one
  if (bounds === null || isCertainlyWithin(one, place)) return true
  return place.source === 'log' ? bounds.firstLog === null : bounds.firstMove === null && place.item > 0
}

/**
 * Finds the act of an account that a movement belongs to: its quote, or the address that acted without one. Null for
 * movements by others.
 */
export function findAct(acts: readonly Act[], place: Place): { key: string; act: Act } | null {
  const found =
    acts.find((one) => one.bounds !== null && isCertainlyWithin(one, place)) ??
    acts.find((one) => mayBeWithin(one, place))
  return found ? { key: found.quote?.id ?? found.address, act: found } : null
}
