import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import type { FinalHeadRow } from './due-orders.ts'

const depositorRow = z.object({ depositor: hexText })

/**
 * Lists depositors whose cash-outs a final block may have changed without a new event of theirs. It makes an event
 * final, or is later than the end of a buyer's hold. By address, after a given one.
 */
export function listDueCash(
  connection: CommonQueryMethods,
  { chainId, block, time }: FinalHeadRow,
  { after, limit }: { after: string; limit: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from (
      select depositor from cash_order
      where chain_id = ${chainId} and block_due is not null and block_due <= ${block}
      union
      select depositor from cash_order
      where chain_id = ${chainId} and time_due is not null and time_due <= ${time}::int8
    ) as due where depositor > ${after} order by depositor limit ${limit}`)
}

/** Lists depositors whose quotes failed before any deposit, and whose cash-outs do not show it yet. */
export function listFailedCash(connection: CommonQueryMethods, limit: number): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order join quote on quote.id = quote_id
    where cash_order.ended_at is null and phase = 'depositing' and quote.status = 'failed'
    order by depositor limit ${limit}`)
}

/** Returns the addresses that cashed out. */
export function listCashAmong(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order where depositor = any(${sql.array([...addresses], 'text')})`)
}

/** Lists the depositors of the cash-outs of those quotes. */
export function listCashOfQuotes(
  connection: CommonQueryMethods,
  quoteIds: readonly string[],
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order where quote_id = any(${sql.array([...quoteIds], 'uuid')})`)
}

/** Lists depositors whose cash-outs are open, or ended less than `endedMs` ago; by address, after a given one. */
export function listOpenCash(
  connection: CommonQueryMethods,
  { after, limit, endedMs }: { after: string; limit: number; endedMs: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select depositor from (
      select depositor from cash_order where ended_at is null
      union
      select depositor from cash_order where ended_at > now() - ${endedMs} * interval '1 ms'
    ) as open where depositor > ${after} order by depositor limit ${limit}`)
}
