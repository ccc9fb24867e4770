import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

/** A transaction with its block time, which orders the account's transactions. */
export interface TimedTransaction {
  chainId: number
  txHash: string
  blockTime: Date
}

/** Returns the transactions that touched an address of the account, as `chainId:txHash`. */
export async function listOwnTransactions(
  connection: CommonQueryMethods,
  accountId: string,
  transactions: readonly TimedTransaction[],
): Promise<ReadonlySet<string>> {
  if (transactions.length === 0) return new Set()
  const keys = sql.unnest(
    transactions.map(({ chainId, txHash, blockTime }) => [chainId, txHash, blockTime.toISOString()]),
    ['int8', 'text', 'timestamptz'],
  )
  const found = await connection.anyFirst(sql.type(z.object({ key: z.string() }))`
    select chain_id || ':' || tx_hash as key
    from ${keys} as wanted (chain_id, tx_hash, block_time) join account_tx using (chain_id, tx_hash, block_time)
    where account_id = ${accountId}::uuid`)
  return new Set(found)
}
