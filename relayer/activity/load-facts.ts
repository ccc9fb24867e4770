import type { CommonQueryMethods } from 'slonik'
import { findOwnAddresses, readReviewsOf, type AccountTxRow } from '../../db/activity/account-activity.ts'
import { readIndexedTxs, readTransfersOf } from '../../db/indexer/read-activity.ts'
import { readPoolEventsOf } from '../../db/indexer/read-pool-events.ts'
import type { IndexedTxRow } from '../../db/indexer/rows.ts'
import { keyOf, tokenIdOf, type TokenId } from '../holdings/tokens/token-id.ts'
import type { Tokens } from '../holdings/tokens/tokens.ts'
import type { Prices } from '../prices/prices.ts'
import type { TransactionFacts } from './classify-activity.ts'
import type { ItemSources } from './describe-activity.ts'

export interface FactSources {
  database: CommonQueryMethods
  tokens: Tokens
  prices: Prices
}

/** A transaction with all that is indexed of it, as one account sees it. */
export interface AccountTransaction extends TransactionFacts {
  row: AccountTxRow
  /** Null where the chain's consensus layer alone touched the address. */
  tx: IndexedTxRow | null
}

/**
 * Everything that a page of activities is made of, in a bounded number of queries. Others' transfers in the same
 * transactions are left out: one transaction may carry many accounts' payments.
 */
export async function loadFacts(
  { database, tokens, prices }: FactSources,
  accountId: string,
  rows: readonly AccountTxRow[],
): Promise<{ transactions: readonly AccountTransaction[]; sources: ItemSources }> {
  const [txs, allTransfers, allPoolEvents] = await Promise.all([
    readIndexedTxs(database, rows),
    readTransfersOf(database, rows),
    readPoolEventsOf(database, rows),
  ])
  const parties = new Set([
    ...allTransfers.flatMap(({ from, to }) => [from, to]),
    ...txs.map(({ from }) => from),
    ...allPoolEvents.flatMap(({ account }) => account ?? []),
  ])
  const own = await findOwnAddresses(database, accountId, [...parties])
  const isOwn = (address: string) => own.has(address)
  const transfers = allTransfers.filter(({ from, to }) => isOwn(from) || isOwn(to))
  const poolEvents = allPoolEvents.filter(({ account }) => account !== null && isOwn(account))

  const fungible = transfers.filter(({ standard }) => standard === 'native' || standard === 'erc20')
  const named: TokenId[] = fungible.map(({ chainId, token }) => tokenIdOf(chainId, token))
  // Fees are paid in native coin.
  const native = [...new Set(rows.map(({ chainId }) => chainId))].map((chainId) => tokenIdOf(chainId, NATIVE))
  const ids = [...new Map([...named, ...native].map((id) => [keyOf(id), id])).values()]
  const [known, worth, reviews] = await Promise.all([
    tokens.learnMany(ids),
    prices.read(ids),
    readReviewsOf(
      database,
      poolEvents.flatMap(({ label }) => label ?? []),
    ),
  ])

  const txOf = new Map(txs.map((tx) => [txKey(tx), tx]))
  const transfersOf = Map.groupBy(transfers, txKey)
  const eventsOf = Map.groupBy(poolEvents, txKey)
  const transactions = rows.map((row): AccountTransaction => {
    const tx = txOf.get(txKey(row)) ?? null
    return {
      row,
      tx,
      transfers: transfersOf.get(txKey(row)) ?? [],
      poolEvents: eventsOf.get(txKey(row)) ?? [],
      isOwn,
      isExternal: tx !== null && isOwn(tx.from),
    }
  })
  return {
    transactions,
    sources: {
      tokenOf: (id) => known.get(keyOf(id)) ?? null,
      priceOf: (id) => worth.get(keyOf(id)) ?? null,
      reviewOf: (label) => reviews.get(label) ?? 'pending',
    },
  }
}

const NATIVE = '0x0000000000000000000000000000000000000000'

const txKey = ({ chainId, txHash }: { chainId: number; txHash: string | null }) => `${chainId}:${txHash}`
