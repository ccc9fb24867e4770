import type { Address } from 'viem'
import type { AccountTxRow } from '../../db/activity/account-activity.ts'
import type { SendingRow } from '../../db/activity/pending.ts'
import type { IndexedTxRow, TransferRow } from '../../db/chain/indexer/rows.ts'
import type { QuotedConversion } from '../../db/pool/notes/pool-conversions.ts'
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
import { withoutClaims } from './without-claims.ts'
import { withoutOrders } from './without-orders.ts'

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
  conversionsOf(quoteId: string): readonly QuotedConversion[]
  /** Returns an app's calls in a quote. */
  appCallOf: AppCallOf
  /** Returns the token of a pool, the zero address for the native coin; null for an unregistered pool. */
  tokenOfPool(chainId: number, pool: string): Address | null
}

/** Reads the tokens and prices that a description names; null if there is none. */
export async function learnTokensOf(
  { tokens, prices }: { tokens: Pick<Tokens, 'learnMany'>; prices: Prices },
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
