import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const headRow = z.object({ chainId: smallInteger, block: z.bigint(), time: smallInteger.nullable() })
/** The newest final indexed block of a chain, and its time in seconds since 1970; null once the block is no longer stored. */
export type FinalHeadRow = z.output<typeof headRow>

/**
 * Reads the newest final block of chains, as far as they are indexed.
 * @param chains Chains, each with the number of blocks above a final one.
 */
export function readFinalHeads(
  connection: CommonQueryMethods,
  chains: readonly { chainId: number; confirmations: number }[],
): Promise<readonly FinalHeadRow[]> {
  return connection.any(sql.type(headRow)`
    select chain.chain_id as "chainId", block_number - confirmations as block,
      extract(epoch from mined_at)::int8 as time
    from ${sql.unnest(
      chains.map(({ chainId, confirmations }) => [chainId, confirmations]),
      ['int8', 'int4'],
    )} as wanted (chain_id, confirmations)
    join indexed_chain chain on chain.chain_id = wanted.chain_id and block_hash is not null
    left join indexed_block on indexed_block.chain_id = chain.chain_id and number = block_number - confirmations`)
}

const depositorRow = z.object({ depositor: hexText })

/**
 * Lists depositors whose orders a final block may have changed without a new event of theirs. It makes an event final,
 * or is later than a deadline. By address, after a given one.
 */
export function listDueDepositors(
  connection: CommonQueryMethods,
  { chainId, block, time }: FinalHeadRow,
  { after, limit }: { after: string; limit: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from (
      select depositor from bridge_order
      where origin_chain_id = ${chainId} and origin_due is not null and origin_due <= ${block}
      union
      select depositor from bridge_order
      where destination_chain_id = ${chainId} and destination_due is not null and destination_due <= ${block}
      union
      select depositor from bridge_order
      where destination_chain_id = ${chainId} and status = 'confirmed_source' and destination_due is null
        and fill_deadline < ${time}::int8
    ) as due where depositor > ${after} order by depositor limit ${limit}`)
}

/** Lists depositors whose quotes failed before any deposit, and whose orders do not show it yet. */
export function listFailedDepositors(
  connection: CommonQueryMethods,
  limit: number,
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from bridge_order join quote on quote.id = quote_id
    where bridge_order.ended_at is null and bridge_order.status = 'pending' and quote.status = 'failed'
    order by depositor limit ${limit}`)
}

/** Lists the depositors of bridge orders that the addresses deposited or are paid by. */
export function listDepositorsAmong(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const wanted = sql.array([...addresses], 'text')
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from bridge_order where depositor = any(${wanted})
    union select depositor from bridge_order where output_recipient = any(${wanted})`)
}

/** Lists depositors whose orders are open, or ended less than `endedMs` ago; by address, after a given one. */
export function listOpenDepositors(
  connection: CommonQueryMethods,
  { after, limit, endedMs }: { after: string; limit: number; endedMs: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from (
      select depositor from bridge_order where ended_at is null
      union
      select depositor from bridge_order where ended_at > now() - ${endedMs} * interval '1 ms'
    ) as open where depositor > ${after} order by depositor limit ${limit}`)
}
