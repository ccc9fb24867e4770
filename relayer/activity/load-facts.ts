import type { CommonQueryMethods } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import { findSendings, type SendingRow } from '../../db/activity/pending.ts'
import {
  findOwnAddresses,
  findStopAddresses,
  readReviewsOf,
  type AccountTxRow,
} from '../../db/activity/account-activity.ts'
import { listOrderShares } from '../../db/activity/order-transactions.ts'
import { readIndexedTxs, readTransfersOf } from '../../db/chain/indexer/read-activity.ts'
import { readPoolAssets, readPoolEventsOf } from '../../db/chain/indexer/read-pool-events.ts'
import { listDappCalls } from '../../db/transact/dapp-calls.ts'
import { listConversionsOf, type QuotedConversion } from '../../db/pool/notes/pool-conversions.ts'
import type { IndexedTxRow, TransferRow } from '../../db/chain/indexer/rows.ts'
import { keyOf, tokenIdOf, type TokenId } from '../market/tokens/token-id.ts'
import type { Token, Tokens } from '../market/tokens/tokens.ts'
import type { Price, Prices } from '../market/prices/prices.ts'
import { checksumAddress } from '../chain/checksum-address.ts'
import { kindOf } from '../transact/kinds/quote-kinds.ts'
import { NATIVE_ASSET } from '../chain/nodes/config.ts'
import type { ActivityPool } from './activity.ts'
import type { AppCallOf } from './describe-app-call.ts'
import { tokensOfCash } from './describe-off-ramp.ts'
import { tokensOfOrder } from './describe-order.ts'
import type { TransactionFacts } from './classify-activity.ts'
import type { KnownTokens } from '../account/provenance/provenance.ts'
import { matchRelays } from '../account/provenance/match-relays.ts'
import { withoutOrders } from './without-orders.ts'

/** Where the facts of an activity come from. */
export interface FactSources {
  database: CommonQueryMethods
  tokens: Tokens
  prices: Prices
}

/** An amount of the spent token that an address pays us. */
interface FeePayment {
  from: Address
  to: Address
  /** Smallest unit. */
  value: bigint
}

/** What an account sent by a transaction, with the fees that it paid in it. */
export interface Sending extends SendingRow {
  fees: readonly FeePayment[]
}

/** A transaction with all that is indexed of it, as one account sees it. */
export interface AccountTransaction extends TransactionFacts {
  row: AccountTxRow
  /** Null where only the chain's consensus layer touched the address. */
  tx: IndexedTxRow | null
  /** What of it the account sent through a quote; the transfers of the fees are not among the transfers then. */
  sending: Sending | null
}

/** What is known in addition to the indexed facts. */
export interface ItemSources {
  tokenOf(id: TokenId): Token | null
  priceOf(id: TokenId): Price | null
  reviewOf(label: bigint): ActivityPool['aspStatus']
  /** What a quote deposits into a pool; empty for other quotes. */
  conversionsOf(quoteId: string): readonly QuotedConversion[]
  /** What an app asked for by a quote. */
  appCallOf: AppCallOf
  /** The token of a pool, the zero address for the native coin; null for a pool that nobody registered. */
  tokenOfPool(chainId: number, pool: string): Address | null
}

/**
 * Everything that a page of activities is made of, in a bounded number of queries. Others' transfers in the same
 * transactions are left out: one transaction may carry many accounts' payments.
 */
export async function loadFacts(
  { database, tokens, prices }: FactSources,
  accountId: string,
  rows: readonly AccountTxRow[],
): Promise<{ transactions: readonly AccountTransaction[]; sources: ItemSources; known: KnownTokens }> {
  const [txs, allTransfers, allPoolEvents, sendings, shares] = await Promise.all([
    readIndexedTxs(database, rows),
    readTransfersOf(database, rows),
    readPoolEventsOf(database, rows),
    findSendings(database, accountId, rows),
    listOrderShares(database, accountId, rows),
  ])
  const parties = new Set([
    ...allTransfers.flatMap(({ from, to }) => [from, to]),
    ...txs.map(({ from }) => from),
    ...allPoolEvents.flatMap(({ account }) => account ?? []),
    ...sendings.map(({ recipient }) => recipient),
  ])
  const own = await findOwnAddresses(database, accountId, [...parties])
  const isOwn = (address: string) => own.has(address)
  const transfers = allTransfers.filter(({ from, to }) => isOwn(from) || isOwn(to))
  const poolEvents = allPoolEvents.filter(({ account }) => account !== null && isOwn(account))

  const received = transfers.filter(({ to }) => isOwn(to))
  const receivedOf = Map.groupBy(received, txKey)
  const allEventsOf = Map.groupBy(allPoolEvents, txKey)
  const receiptsOf = new Map(
    rows.map((row) => [
      txKey(row),
      matchRelays(receivedOf.get(txKey(row)) ?? [], allEventsOf.get(txKey(row)) ?? []),
    ]),
  )
  const payees = [...receiptsOf.values()].flat().map(({ transfer }) => transfer.to)
  const poolKeys = poolEvents.map(({ chainId, contract }) => ({ chainId, pool: contract }))
  const [stops, assets] = await Promise.all([
    findStopAddresses(database, accountId, payees),
    poolKeys.length > 0 ? readPoolAssets(database, poolKeys) : [],
  ])
  const tokenOfPool = new Map(
    assets.map(({ chainId, pool, asset }) => [
      `${chainId} ${pool}`,
      asset === NATIVE_ASSET ? zeroAddress : checksumAddress(asset),
    ]),
  )

  const fungible = transfers.filter(({ standard }) => standard === 'native' || standard === 'erc20')
  const named: TokenId[] = fungible.map(({ chainId, token }) => tokenIdOf(chainId, token))
  // Fees are paid in native coin.
  const native = [...new Set(rows.map(({ chainId }) => chainId))].map((chainId) =>
    tokenIdOf(chainId, zeroAddress),
  )
  const exchanged = sendings.flatMap(({ chainId, token, output, order, cash }) => [
    ...(order
      ? [tokenIdOf(chainId, token), ...tokensOfOrder(order).map((one) => tokenIdOf(one.chainId, one.token))]
      : output
        ? [tokenIdOf(chainId, output.token)]
        : []),
    ...(cash ? tokensOfCash(cash).map((one) => tokenIdOf(one.chainId, one.token)) : []),
  ])
  const pooled = assets.map(({ chainId, pool }) =>
    tokenIdOf(chainId, tokenOfPool.get(`${chainId} ${pool}`) ?? zeroAddress),
  )
  const ids = [
    ...new Map([...named, ...pooled, ...native, ...exchanged].map((id) => [keyOf(id), id])).values(),
  ]
  const [known, worth, reviews, conversions, appCalls] = await Promise.all([
    tokens.learnMany(ids),
    prices.read(ids),
    readReviewsOf(
      database,
      poolEvents.flatMap(({ label }) => label ?? []),
    ),
    listConversionsOf(
      database,
      accountId,
      sendings.flatMap(({ kind, quoteId }) => (isDeposit(kind) ? [quoteId] : [])),
    ),
    listDappCalls(
      database,
      sendings.flatMap(({ kind, quoteId }) => (isAppCall(kind) ? [quoteId] : [])),
    ),
  ])

  const sendingOf = new Map(sendings.map((sending) => [txKey(sending), describeSending(sending)]))
  const txOf = new Map(txs.map((tx) => [txKey(tx), tx]))
  const sharesOf = Map.groupBy(shares, txKey)
  const transfersOf = Map.groupBy(transfers, txKey)
  const eventsOf = Map.groupBy(poolEvents, txKey)
  const transactions = rows.map((row): AccountTransaction => {
    const tx = txOf.get(txKey(row)) ?? null
    const sending = sendingOf.get(txKey(row)) ?? null
    return {
      row,
      tx,
      sending,
      transfers: withoutFees(
        withoutOrders(transfersOf.get(txKey(row)) ?? [], sharesOf.get(txKey(row)) ?? []),
        sending,
      ),
      poolEvents: eventsOf.get(txKey(row)) ?? [],
      isOwn,
      privateReceipts: receiptsOf.get(txKey(row)) ?? [],
      isStop: (address) => stops.has(address),
      isExternal: tx !== null && isOwn(tx.from),
    }
  })
  return {
    transactions,
    known: {
      tokens: new Map(ids.map((id) => [keyOf(id), known.get(keyOf(id)) ?? null])),
      prices: new Map(ids.map((id) => [keyOf(id), worth.get(keyOf(id)) ?? null])),
    },
    sources: {
      tokenOf: (id) => known.get(keyOf(id)) ?? null,
      priceOf: (id) => worth.get(keyOf(id)) ?? null,
      reviewOf: (label) => reviews.get(label) ?? 'pending',
      conversionsOf: (quoteId) => conversions.filter((one) => one.quoteId === quoteId),
      appCallOf: (quoteId) => appCalls.find((one) => one.quoteId === quoteId),
      tokenOfPool: (chainId, pool) => tokenOfPool.get(`${chainId} ${pool}`) ?? null,
    },
  }
}

/** Whether quotes of a kind deposit into a pool. */
export const isDeposit = (kind: string) => kindOf(kind).activity(false).kind === 'POOL_DEPOSIT'

/** Whether quotes of a kind are what an app asked for. */
export const isAppCall = (kind: string) => kindOf(kind).activity(false).kind === 'DAPP_CALL'

/** Whether quotes of a kind send collectibles away. */
export const isWithdrawal = (kind: string) => kindOf(kind).activity(false).kind === 'NFT_WITHDRAW'

function describeSending(row: SendingRow): Sending {
  const { feeReceiver, payments } = row
  if (feeReceiver === null) return { ...row, fees: [] }
  const executed = new Set<string>(row.eoas)
  const fees = payments
    .filter(({ address, fee }) => executed.has(address) && fee > 0n)
    .map(({ address, fee }) => ({ from: address, to: checksumAddress(feeReceiver), value: fee }))
  return { ...row, fees }
}

/** Fees are shown as such: each takes one transfer that is like it. */
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

const txKey = ({ chainId, txHash }: { chainId: number; txHash: string | null }) => `${chainId}:${txHash}`
