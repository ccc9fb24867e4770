import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const batchedQuote = z.object({
  quoteId: z.string(),
  chainId: smallInteger,
  token: hexText,
  /** Gas that its intents were expected to add to the transaction. */
  gas: z.bigint(),
  /** True if the transaction executed one of its intents. */
  executed: z.boolean(),
})
/** A quote with intents in a batch. */
export type BatchMember = z.output<typeof batchedQuote>

/** Lists the quotes of a batch and its transaction by id, ended ones included. */
export function listBatchedQuotes(
  connection: CommonQueryMethods,
  batchId: string,
  txHash: string,
): Promise<readonly BatchMember[]> {
  return connection.any(sql.type(batchedQuote)`
    select quote.id as "quoteId", quote.chain_id as "chainId", quote.token,
      sum(transaction_gas)::numeric as gas,
      bool_or(intent.status = 'succeeded' and tx_hash = ${txHash}) as executed
    from intent join quote on quote.id = quote_id where batch_id = ${batchId}::uuid
    group by quote.id order by quote.id`)
}

/** One quote's share of the cost of a batch's transaction, in wei. */
export interface SendGasShare {
  chainId: number
  token: string
  gasSpent: bigint
  /** True if one of its intents was executed there. */
  executed: boolean
}

/**
 * Books the cost of a batch by its quotes, in their order.
 * @throws UniqueIntegrityConstraintViolationError when it is already booked.
 */
export async function insertSendGas(
  transaction: CommonQueryMethods,
  batchId: string,
  shares: readonly SendGasShare[],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into send_gas (batch_id, place, chain_id, token, gas_spent, executed)
    select ${batchId}::uuid, place, chain_id, token, gas_spent, executed from ${sql.unnest(
      shares.map(({ chainId, token, gasSpent, executed }, place) => [
        place,
        chainId,
        token,
        gasSpent,
        executed,
      ]),
      ['int4', 'int8', 'text', 'numeric', 'bool'],
    )} as share (place, chain_id, token, gas_spent, executed)`)
}

const sumRow = z.object({
  chainId: smallInteger,
  token: hexText,
  symbol: z.string().nullable(),
  decimals: z.int().nullable(),
  /** Quotes, counted once per transaction that executed some of their intents. */
  sends: smallInteger,
  networkFee: z.bigint(),
  serviceFee: z.bigint(),
  gasSpent: z.bigint(),
  /** The part of `gasSpent` for transactions that executed nothing of the quote. */
  gasUnpaid: z.bigint(),
})
/** Sums of the ledger of sends for one token: fees in its smallest unit, gas in wei. */
export type SendSum = z.output<typeof sumRow>

/** Sums the ledger of sends exactly, by chain and token: totals of old bookings plus the rows since. */
export function sumSends(connection: CommonQueryMethods): Promise<readonly SendSum[]> {
  return connection.any(sql.type(sumRow)`
    select chain_id as "chainId", token, described.symbol, described.decimals, sends, network_fee as "networkFee",
      service_fee as "serviceFee", gas_spent as "gasSpent", gas_unpaid as "gasUnpaid"
    from send_sums() as sums left join lateral (
      -- Tokens of the operator's own books, whether or not anybody looked them up.
      select symbol, decimals from (
        select source, symbol, decimals from token_source
        where token_source.chain_id = sums.chain_id and address = token
        union all
        select source, symbol, decimals from held_token_source
        where held_token_source.chain_id = sums.chain_id and address = token
      ) as known order by source = 'chain' desc, source limit 1
    ) described on true
    order by chain_id, token`)
}
