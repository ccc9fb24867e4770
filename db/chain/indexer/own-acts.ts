import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** The act of an address in a transaction. */
export const act = z.object({
  address: hexText,
  /** The account's quote behind the act; null without one. */
  quote: z.object({ id: z.string(), kind: z.string() }).nullable(),
  /**
   * Part of the transaction that belongs to the act; null for the whole, because the address sent the transaction. Null
   * members are unknown.
   */
  bounds: z
    .object({
      firstLog: z.int().nullable(),
      lastLog: z.int(),
      firstMove: z.int().nullable(),
      lastMove: z.int().nullable(),
    })
    .nullable(),
})
/** An act after parsing. */
export type Act = z.output<typeof act>

/**
 * Acts of the account's addresses in the transactions of `wanted (chain_id, tx_hash)`: rows of chain_id, tx_hash and `act`.
 * An intent that did not use up its nonce did nothing; any caller can make the orchestrator report one.
 */
export const selectActs = (accountId: string) => sql.fragment`
  select chain_id, tx_hash, jsonb_build_object('address', own.address, 'quote', quoted, 'bounds', bounds) as act
  from (
    select wanted.chain_id, wanted.tx_hash, tx.from_address as actor, null::jsonb as quoted, null::jsonb as bounds
    from wanted cross join lateral (
      select from_address from indexed_tx
      where indexed_tx.chain_id = wanted.chain_id and indexed_tx.tx_hash = wanted.tx_hash offset 0
    ) as tx
    union all
    select wanted.chain_id, wanted.tx_hash, event.eoa, (
        select jsonb_build_object('id', quote.id, 'kind', quote.kind)
        from intent join quote on quote.id = intent.quote_id
        where intent.eoa = event.eoa and intent.chain_id = event.chain_id and intent.intent_nonce = event.intent_nonce
          and intent.account_id = ${accountId}::uuid
        limit 1
      ), jsonb_build_object('firstLog', first_log, 'lastLog', log_index, 'firstMove', first_move, 'lastMove', last_move)
    from wanted cross join lateral (
      select * from intent_event
      where intent_event.chain_id = wanted.chain_id and intent_event.tx_hash = wanted.tx_hash offset 0
    ) as event
    where event.incremented
  ) as acting cross join lateral (
    select address, account_id from stealth_address where stealth_address.address = acting.actor offset 0
  ) as own
  where own.account_id = ${accountId}::uuid`

const actRow = z.object({ chainId: smallInteger, txHash: hexText, act })
/** The act of an address, and its transaction. */
export type ActRow = z.output<typeof actRow>

/** Acts of the account's addresses in those transactions. */
export function listActs(
  connection: CommonQueryMethods,
  accountId: string,
  transactions: readonly { chainId: number; txHash: string }[],
): Promise<readonly ActRow[]> {
  return connection.any(sql.type(actRow)`
    with wanted as (select * from ${sql.unnest(
      transactions.map(({ chainId, txHash }) => [chainId, txHash]),
      ['int8', 'text'],
    )} as one (chain_id, tx_hash))
    select chain_id as "chainId", tx_hash as "txHash", act from (${selectActs(accountId)}) as acted`)
}

/**
 * Condition: the sender of `transfer` moved it. It sent the transaction, or the transfer is within the bounds of its
 * intent. A token can log any transfer, in any transaction. Without `offset 0` the planner may hash a whole table for a
 * few transfers.
 */
export const isSendersAct = sql.fragment`(
  transfer.source = 'call'
  or exists (select from indexed_tx
    where indexed_tx.chain_id = transfer.chain_id and indexed_tx.tx_hash = transfer.tx_hash
      and indexed_tx.from_address = transfer.from_address offset 0)
  or exists (select from intent_event
    where intent_event.eoa = transfer.from_address and intent_event.chain_id = transfer.chain_id
      and intent_event.tx_hash = transfer.tx_hash and incremented
      and transfer.position between intent_event.first_log and intent_event.log_index offset 0)
)`

/**
 * Condition: an intent of `wanted.depositor` may have emitted the row of an event table. A stranger can deposit for an
 * address with the same members, in the transaction that executes its intent.
 */
export const isOfDepositor = (table: 'bridge_event' | 'cash_event') => {
  const column = (name: string) => sql.identifier([table, name])
  return sql.fragment`(${column('address')} = wanted.depositor and exists (
    select from intent_event
    where intent_event.eoa = wanted.depositor and intent_event.chain_id = ${column('chain_id')}
      and intent_event.tx_hash = ${column('tx_hash')} and incremented
      and ${column('log_index')} between coalesce(intent_event.first_log, 0) and intent_event.log_index offset 0))`
}
