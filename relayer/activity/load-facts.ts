import { type Address, zeroAddress } from 'viem'
import type { AccountTxRow } from '../../db/activity/account-activity.ts'
import type { SendingRow } from '../../db/activity/pending.ts'
import type { IndexedTxRow, TransferRow } from '../../db/chain/indexer/rows.ts'
import type { PlannedConversion } from '../../db/pool/notes/pool-conversions.ts'
import type { KnownTokens } from '../account/provenance/provenance.ts'
import { checksumAddress } from '../chain/checksum-address.ts'
import type { Price, Prices } from '../market/prices/prices.ts'
import { leastTrusted } from '../account/provenance/trusted-receive.ts'
import { keyOf, tokenIdOf, type TokenId } from '../market/tokens/token-id.ts'
import type { Token, Tokens } from '../market/tokens/tokens.ts'
import type { ActivityPool } from './activity.ts'
import type { TransactionFacts } from './classify-activity.ts'
import type { AppCallOf } from './describe-app-call.ts'
import { kindOf } from '../transact/kinds/quote-kinds.ts'
import { poolKey, txKey, type ReadFacts } from './read-facts.ts'
import type { Act } from '../../db/chain/indexer/own-acts.ts'
import { isCertainlyWithin } from '../account/provenance/acts.ts'
import type { OrderShare } from '../../db/activity/order-transactions.ts'

/** A fee payment by an address to the service, in the spent token. */
interface FeePayment {
  from: Address
  to: Address
  /** Smallest unit. */
  value: bigint
}

/** An account's send in a transaction, with the fees paid in it. */
export interface Sending extends SendingRow {
  fees: readonly FeePayment[]
}

/** A transaction with all its indexed facts, as one account sees it. */
export interface AccountTransaction extends TransactionFacts {
  row: AccountTxRow
  /** Null if only the chain's consensus layer touched the address. */
  tx: IndexedTxRow | null
  /** True if it moved more of the account than is read. */
  hasMoreTransfers: boolean
  /** True if its only traces are logs of strangers' contracts that claim a payment by the account. */
  isClaim: boolean
  /** The account's send through a quote, if any; transfers of the fees are then not among `transfers`. */
  sending: Sending | null
}

/** Facts in addition to the indexed ones. */
export interface ItemSources {
  tokenOf(id: TokenId): Token | null
  priceOf(id: TokenId): Price | null
  reviewOf(label: bigint): ActivityPool['aspStatus']
  /** Returns a quote's deposits into a pool; empty for other quotes. */
  conversionsOf(quoteId: string): readonly PlannedConversion[]
  /** Returns an app's calls in a quote. */
  appCallOf: AppCallOf
  /** Returns the token of a pool, the zero address for the native coin; null for an unregistered pool. */
  tokenOfPool(chainId: number, pool: string): Address | null
}

/** Reads the tokens and prices that a description names; null if there is none. */
export async function learnTokensOf(
  { tokens, prices }: { tokens: Tokens; prices: Prices },
  ids: readonly TokenId[],
): Promise<KnownTokens> {
  const [known, worth] = await Promise.all([tokens.learnMany(ids), prices.read(ids)])
  return {
    tokens: new Map(ids.map((id) => [keyOf(id), known.get(keyOf(id)) ?? null])),
    prices: new Map(ids.map((id) => [keyOf(id), worth.get(keyOf(id)) ?? null])),
  }
}

/** Joins the facts of each transaction, and the sources that describe them. */
export function joinFacts(
  facts: ReadFacts,
  { tokens, prices }: KnownTokens,
): { transactions: readonly AccountTransaction[]; sources: ItemSources } {
  const { rows, own, stops, conversions, appCalls, tokenOfPool } = facts
  const isOwn = (address: string) => own.has(address)
  const isStop = (address: string) => stops.has(address)
  const sendingOf = new Map(facts.sendings.map((sending) => [txKey(sending), describeSending(sending)]))
  const txOf = new Map(facts.txs.map((tx) => [txKey(tx), tx]))
  const sharesOf = Map.groupBy(facts.shares, txKey)
  const transfersOf = Map.groupBy(facts.transfers, txKey)
  const eventsOf = Map.groupBy(facts.poolEvents, txKey)
  const actsOf = Map.groupBy(facts.acts, txKey)
  const isForgeable = ({ chainId, standard, token, tokenId }: TransferRow) => {
    const key = keyOf(tokenIdOf(chainId, token))
    const received = { token: tokens.get(key) ?? null, price: prices.get(key) ?? null, isWatched: false }
    return standard !== 'native' && (tokenId !== null || leastTrusted(received) === null)
  }
  const transactions = rows.map((row): AccountTransaction => {
    const key = txKey(row)
    const tx = txOf.get(key) ?? null
    const sending = sendingOf.get(key) ?? null
    const acts = (actsOf.get(key) ?? []).map(({ act }) => act)
    const all = withoutFees(withoutOrders(transfersOf.get(key) ?? [], sharesOf.get(key) ?? []), sending)
    const done = withoutClaims(all, {
      isOwn,
      isForgeable,
      acts,
      sent: sending && { ...sending, isPlain: isPlainPayment(sending) },
    })
    const isClaim = done.length === 0 && acts.length === 0 && all.length > 0
    return {
      row,
      tx,
      sending,
      transfers: isClaim ? all : done,
      hasMoreTransfers: (transfersOf.get(key) ?? []).some(({ isCut }) => isCut),
      isClaim,
      poolEvents: eventsOf.get(key) ?? [],
      isOwn,
      privateReceipts: facts.receiptsOf.get(key) ?? [],
      isStop,
      isExternal: tx !== null && isOwn(tx.from),
    }
  })
  return {
    transactions,
    sources: {
      tokenOf: (id) => tokens.get(keyOf(id)) ?? null,
      priceOf: (id) => prices.get(keyOf(id)) ?? null,
      reviewOf: (label) => facts.reviews.get(label) ?? 'pending',
      conversionsOf: (quoteId) => conversions.filter((one) => one.quoteId === quoteId),
      appCallOf: (quoteId) => appCalls.find((one) => one.quoteId === quoteId),
      tokenOfPool: (chainId, pool) => tokenOfPool.get(poolKey(chainId, pool)) ?? null,
    },
  }
}

function describeSending(row: SendingRow): Sending {
  const { feeReceiver, payments } = row
  if (feeReceiver === null) return { ...row, fees: [] }
  const executed = new Set<string>(row.eoas)
  const fees = payments
    .filter(({ address, fee }) => executed.has(address) && fee > 0n)
    .map(({ address, fee }) => ({ from: address, to: checksumAddress(feeReceiver), value: fee }))
  return { ...row, fees }
}

/** True if a quote only pays its recipient. */
function isPlainPayment({ kind, order, cash }: Sending): boolean {
  const shown = kindOf(kind).activity(false).kind
  return (shown === 'SEND' || shown === 'NFT_WITHDRAW') && order === null && cash === null
}

/** Removes the transfers of fees, one equal transfer for each fee. */
function withoutFees(transfers: readonly TransferRow[], sending: Sending | null): readonly TransferRow[] {
  const left = [...(sending?.fees ?? [])]
  return transfers.filter(({ from, to, token, amount }) => {
    const place = left.findIndex(
      (fee) => fee.from === from && fee.to === to && sending?.token === token && fee.value === amount,
    )
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}

/** Facts that distinguish a real transfer from one that a contract only claims. */
interface ClaimSources {
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
function withoutClaims(
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

/**
 * Removes the transfers of a transaction that belong to orders which it filled or refunded. A transfer of exactly the
 * due amount belongs to the order; without one, the largest transfers that fit do.
 */
function withoutOrders(
  transfers: readonly TransferRow[],
  shares: readonly OrderShare[],
): readonly TransferRow[] {
  const theirs = new Set<TransferRow>()
  for (const { to, token, amount } of shares) {
    const candidates = transfers.filter((transfer) => transfer.to === to && transfer.token === token)
    const exact = candidates.find((transfer) => transfer.amount === amount)
    if (exact) theirs.add(exact)
    if (exact) continue
    let left = amount
    for (const transfer of candidates.toSorted((one, other) => (one.amount > other.amount ? -1 : 1))) {
      if (left !== null && transfer.amount > left) continue
      if (left !== null) left -= transfer.amount
      theirs.add(transfer)
    }
  }
  return transfers.filter((transfer) => !theirs.has(transfer))
}
