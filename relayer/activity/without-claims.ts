import { zeroAddress } from 'viem'
import type { Act } from '../../db/chain/indexer/own-acts.ts'
import type { TransferRow } from '../../db/chain/indexer/rows.ts'
import { isCertainlyWithin } from '../account/provenance/acts.ts'

/** Facts that distinguish a real transfer from one that a contract only claims. */
export interface ClaimSources {
  isOwn(address: string): boolean
  /** True if the token has neither a price nor a listing: its contract may log any payment between any addresses. */
  isForgeable(transfer: TransferRow): boolean
  /** Acts of the account's addresses in the transaction. */
  acts: readonly Act[]
  /** The quote of the account that it executed; null if it executed none. */
  sent: {
    quoteId: string
    token: string
    recipient: string
    eoas: readonly string[]
    /** True if the quote only pays its recipient. */
    isPlain: boolean
  } | null
}

/**
 * Returns the transfers of a transaction without mere claims. A claim is a payment by an address of the account that
 * only a stranger's contract logs. The address did not act, or its quote pays only another recipient.
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
