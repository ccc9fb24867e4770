import { zeroAddress } from 'viem'
import type { PoolEventRow, TransferRow } from '../../../db/chain/indexer/rows.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'

/** What tells a payment out of a pool from others. */
export type PaidTransfer = Pick<TransferRow, 'from' | 'token' | 'amount'>
/** What pools and Entrypoints say of withdrawals. */
export type PaymentEvent = Pick<
  PoolEventRow,
  'kind' | 'contract' | 'account' | 'asset' | 'value' | 'fee' | 'logIndex'
>

/** A payment out of a pool, as the chain shows it. */
export interface PrivateReceipt<Transfer = TransferRow, Event = PoolEventRow> {
  transfer: Transfer
  /** The Entrypoint's word for it. */
  relay: Event
  /** The pool's. */
  withdrawal: Event
}

/**
 * The transfers of a transaction that an Entrypoint made out of a pool: each `relay` event stands for one transfer of its
 * asset, by the Entrypoint, of its value less its fee; and for the withdrawal that the pool told of last before it.
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
