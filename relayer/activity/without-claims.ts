import { zeroAddress } from 'viem'
import type { Act } from '../../db/chain/indexer/own-acts.ts'
import type { TransferRow } from '../../db/chain/indexer/rows.ts'
import { isCertainlyWithin } from '../account/provenance/acts.ts'

/** What tells a transfer that happened from one that a contract only claims. */
export interface ClaimSources {
  isOwn(address: string): boolean
  /** Nobody vouches for the token: its contract may log that anybody paid anybody. */
  isForgeable(transfer: TransferRow): boolean
  /** What addresses of the account did in the transaction. */
  acts: readonly Act[]
  /** The quote of the account that it executed; null where it executed none. */
  sent: {
    quoteId: string
    token: string
    recipient: string
    eoas: readonly string[]
    /** It pays its recipient and nobody else. */
    isPlain: boolean
  } | null
}

/**
 * The transfers of a transaction without those that nothing but a contract which nobody vouches for says of an address of the
 * account: that it paid somebody, though it did nothing, or nothing but what its quote says.
 */
export function withoutClaims(
  transfers: readonly TransferRow[],
  { isOwn, isForgeable, acts, sent }: ClaimSources,
): readonly TransferRow[] {
  const isSent = ({ from, to, token }: TransferRow) =>
    sent !== null && sent.token === token && sent.recipient === to && sent.eoas.includes(from)
  const hasDone = (transfer: TransferRow) =>
    acts.some(
      (act) =>
        act.address === transfer.from &&
        isCertainlyWithin(act, transfer) &&
        // The token itself runs within the intent.
        !(sent?.isPlain && act.quote?.id === sent.quoteId),
    )
  return transfers.filter(
    (transfer) =>
      !isOwn(transfer.from) ||
      transfer.from === zeroAddress ||
      !isForgeable(transfer) ||
      isSent(transfer) ||
      hasDone(transfer),
  )
}
