import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import type { FinalHeadRow } from './due-orders.ts'

const depositorRow = z.object({ depositor: hexText })

/**
 * Depositors after one, in the order of their addresses, whose cash-outs a final block of a chain may have moved although no
 * event of theirs came: it makes an event final, or is later than the end of what a buyer holds.
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

/** Depositors whose quotes failed before anything was deposited, and whose cash-outs do not say so yet. */
export function listFailedCash(connection: CommonQueryMethods, limit: number): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order join quote on quote.id = quote_id
    where cash_order.ended_at is null and phase = 'depositing' and quote.status = 'failed'
    order by depositor limit ${limit}`)
}

/** Those of the addresses that cashed out. */
export function listCashAmong(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order where depositor = any(${sql.array([...addresses], 'text')})`)
}

/** Who cashed out by those quotes. */
export function listCashOfQuotes(
  connection: CommonQueryMethods,
  quoteIds: readonly string[],
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(depositorRow)`
    select distinct depositor from cash_order where quote_id = any(${sql.array([...quoteIds], 'uuid')})`)
}

/** Depositors after one whose cash-outs have not ended, or did so less than `endedMs` ago, in the order of their addresses. */
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
