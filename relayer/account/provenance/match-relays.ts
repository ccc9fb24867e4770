import { zeroAddress } from 'viem'
import type { PoolEventRow, TransferRow } from '../../../db/chain/indexer/rows.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'

/** The members of a transfer that identify a payment out of a pool. */
export type PaidTransfer = Pick<TransferRow, 'from' | 'token' | 'amount'>
/** An event of a pool or Entrypoint about a withdrawal. */
export type PaymentEvent = Pick<
  PoolEventRow,
  'kind' | 'contract' | 'account' | 'asset' | 'value' | 'fee' | 'logIndex'
>

/** A payment out of a pool, as the chain shows it. */
export interface PrivateReceipt<Transfer = TransferRow, Event = PoolEventRow> {
  transfer: Transfer
  /** The Entrypoint's event. */
  relay: Event
  /** The pool's event. */
  withdrawal: Event
}

/**
 * Finds the transfers of a transaction by which an Entrypoint paid out of a pool. Each `relay` event matches one
 * transfer by the Entrypoint, of the event's asset, of its value less its fee. It also matches the last withdrawal
 * that the pool logged before it.
 */
export function matchRelays<Transfer extends PaidTransfer, Event extends PaymentEvent>(
  transfers: readonly Transfer[],
  events: readonly Event[],
): readonly PrivateReceipt<Transfer, Event>[] {
  const left = new Set(transfers)
  return events.flatMap((relay) => {
    const { kind, contract, asset, value, fee, logIndex } = relay
    if (kind !== 'relay' || value === null || fee === null) return []
    const token = asset === NATIVE_ASSET ? zeroAddress : asset
    const transfer = [...left].find(
      (one) => one.from === contract && one.token === token && one.amount === value - fee,
    )
    const withdrawal = events.findLast(
      (one) => one.kind === 'withdrawal' && one.account === contract && one.logIndex < logIndex,
    )
    if (!transfer || !withdrawal) return []
    left.delete(transfer)
    return { transfer, relay, withdrawal }
  })
}
