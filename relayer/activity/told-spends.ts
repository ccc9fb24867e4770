import type { DatabasePool } from 'slonik'
import { getAddress, zeroAddress, type Address } from 'viem'
import { type ActivityCursor, listOwnTransactions } from '../../db/activity/account-activity.ts'
import { readPoolAssets } from '../../db/chain/indexer/read-pool-events.ts'
import type { SpentNote } from '../../db/pool/book/note-progress.ts'
import { findSpendRow } from '../../db/pool/book/pool-spends.ts'
import { NATIVE_ASSET, type ChainConfig } from '../chain/nodes/config.ts'
import type { Vault } from '../identity/vault.ts'
import type { ToldSpend } from '../pool/book/book-content.ts'
import type { BookedPool, PoolBooks } from '../pool/book/pool-books.ts'
import { openSpend } from '../pool/book/spend-record.ts'
import {
  isSubmitted,
  executionOf,
  spendStatusOf,
  type SpendExecution,
  listEnds,
  readSpendFacts,
} from '../transact/pool-spending/spend-progress.ts'
import type { RelayStatus } from '../transact/transact.ts'

/** A spend from a pool that an account reported and submitted, with its present state on the chain. */
export interface ToldActivity {
  spend: ToldSpend
  pool: BookedPool
  /** The pool's asset; the native coin is `NATIVE_ASSET`. */
  asset: string
  execution: SpendExecution
  relayStatus: RelayStatus['status']
  /** When its last note was spent, or its deadline ended it; null while it is pending. */
  endedAt: Date | null
  /** Its spent notes, in the order of the parts. */
  ends: readonly SpentNote[]
  /** True if one of the account's own addresses was paid, which shows the withdrawal already. */
  isShownByChain: boolean
}

/** Sources of reported spends. */
export interface ToldSpendSources {
  database: DatabasePool
  books: PoolBooks
  /** The supported chains. */
  chains: readonly ChainConfig[]
}

/** Lists an account's submitted spends that it reported, in no order. */
export async function listToldSpends(
  { database, books, chains }: ToldSpendSources,
  accountId: string,
): Promise<ToldActivity[]> {
  const submitted = (await books.readAll(accountId))
    .map(({ pool, book }) => ({ pool, spends: book.content.spends.filter(isSubmitted) }))
    .filter(({ spends }) => spends.length > 0)
  if (submitted.length === 0) return []
  const assets = await readPoolAssets(
    database,
    submitted.map(({ pool }) => ({ chainId: pool.chainId, pool: pool.address })),
  )
  const told = await Promise.all(
    submitted.map(async ({ pool, spends }) => {
      const found = assets.find((one) => one.chainId === pool.chainId && one.pool === pool.address)
      if (!found) return []
      const facts = await readSpendFacts({ database, chains }, pool, spends)
      return spends.map((spend): ToldActivity => {
        const execution = executionOf(spend, facts)
        const ends = listEnds(spend, facts)
        return {
          spend,
          pool,
          asset: found.asset,
          execution,
          relayStatus: spendStatusOf(spend, facts),
          endedAt: endOf(spend, execution, ends),
          ends,
          isShownByChain: false,
        }
      })
    }),
  )
  return markShown(database, accountId, told.flat())
}

/** Returns when a spend was submitted. Only its sealed record has the time; opening one costs 70 µs of CPU. */
export async function readSubmittedAt(
  database: DatabasePool,
  vault: Vault,
  accountId: string,
  { spend }: ToldActivity,
): Promise<Date> {
  const row = await findSpendRow(database, accountId, spend.id)
  return new Date(row ? (await openSpend(vault, accountId, row)).submittedAt : spend.until)
}

function endOf({ until }: ToldSpend, execution: SpendExecution, ends: readonly SpentNote[]): Date | null {
  if (execution === 'pending') return null
  if (execution === 'partial' || execution === 'failed') return new Date(until)
  return new Date(Math.max(...ends.map(({ spentAt }) => spentAt.getTime())))
}

/** Marks spends to oneself that the paid address already shows. */
async function markShown(
  database: DatabasePool,
  accountId: string,
  told: readonly ToldActivity[],
): Promise<ToldActivity[]> {
  const keys = told
    .filter(({ spend }) => spend.kind === 'incognito_self_send')
    .flatMap(({ pool, ends }) =>
      ends.map(({ txHash, spentAt }) => ({ chainId: pool.chainId, txHash, blockTime: spentAt })),
    )
  const shown = await listOwnTransactions(database, accountId, keys)
  return told.map((one) => ({
    ...one,
    isShownByChain:
      one.spend.kind === 'incognito_self_send' &&
      one.ends.some(({ txHash }) => shown.has(`${one.pool.chainId}:${txHash}`)),
  }))
}

/** Returns the token of its pool; the zero address is the native coin. */
export const tokenOfTold = ({ asset }: ToldActivity): Address =>
  asset === NATIVE_ASSET ? zeroAddress : getAddress(asset)

/** Returns the place of an ended spend among the account's transactions: after those of the same time and chain. */
export const placeOf = ({ spend, pool, endedAt }: ToldActivity): ActivityCursor => ({
  blockTime: endedAt ?? new Date(spend.until),
  chainId: pool.chainId,
  blockNumber: 0n,
  // Ids order several spends of one time: 31 bits, the range of the cursor.
  txIndex: Number.parseInt(spend.id.slice(0, 8), 16) >>> 1,
})
