import { zeroAddress } from 'viem'
import type { PoolEventRow, TransferRow } from '../../db/chain/indexer/rows.ts'
import { NATIVE_ASSET } from '../chain/nodes/config.ts'

/** A payment out of a pool, as the chain shows it. */
export interface PrivateReceipt {
  transfer: TransferRow
  /** The Entrypoint's word for it. */
  relay: PoolEventRow
  /** The pool's. */
  withdrawal: PoolEventRow
}

/**
 * The transfers of a transaction that an Entrypoint made out of a pool: each `relay` event stands for one transfer of its
 * asset, by the Entrypoint, of its value less its fee; and for the withdrawal that the pool told of last before it.
 */
export function matchRelays(
  transfers: readonly TransferRow[],
  events: readonly PoolEventRow[],
): readonly PrivateReceipt[] {
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
