import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import type { SealedBytes } from '../profile/accounts.ts'
import { sql } from '../../connect-database.ts'
import { hasActivity } from './chain-facts.ts'

/**
 * Purpose of an address. `external`: to be paid by others. `fund-movement`: a stop of the account's own funds. `app`:
 * to be shown to one app.
 */
export type GenerationContext = 'external' | 'fund-movement' | 'app'

const stateRow = z.object({
  nextDerivationNonce: z.bigint(),
  bytes: z.instanceof(Buffer),
  masterKeyId: z.string(),
  fresh: z.bigint().transform(Number),
})

/** State that limits and derives the account's next addresses. */
export interface IssueState {
  nextDerivationNonce: bigint
  sealedKeys: SealedBytes
  /**
   * Unused addresses made for others to pay to within the window; an upper bound of those that count against the limit.
   */
  fresh: number
}

/** Locks the account's row until the transaction ends: no other transaction can take its derivationNonces. */
export async function lockAccount(transaction: CommonQueryMethods, accountId: string): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    select from account where id = ${accountId} for no key update`)
}

/** Reads the state needed to issue `wanted` more addresses; null without such an account. */
export async function readIssueState(
  connection: CommonQueryMethods,
  request: { accountId: string; since: Date; wanted: number; limit: number },
): Promise<IssueState | null> {
  const { accountId, wanted, limit } = request
  const since = sql.timestamp(request.since)
  // Checks which addresses are used only if all of them together would exceed the limit.
  const row = await connection.maybeOne(sql.type(stateRow)`
    select next_derivation_nonce as "nextDerivationNonce", sealed_keys as bytes, master_key_id as "masterKeyId",
      case when made.count + ${wanted} <= ${limit} then made.count
      else (select count(*) from stealth_address
        where account_id = account.id and generation_context = 'external' and created_at > ${since}
          and not ${hasActivity}) end as fresh
    from account cross join lateral (
      select count(*) from (
        select 1 from stealth_address
        where account_id = account.id and generation_context = 'external' and created_at > ${since}
        limit ${limit}
      ) as newest
    ) as made
    where account.id = ${accountId}`)
  if (!row) return null
  const { nextDerivationNonce, bytes, masterKeyId, fresh } = row
  return { nextDerivationNonce, sealedKeys: { bytes, masterKeyId }, fresh }
}

/**
 * Takes the derivationNonces from `first` on and writes their addresses, in one statement. False, with nothing written,
 * when another transaction took them first.
 */
export async function takeDerivationNonces(
  connection: CommonQueryMethods,
  taken: { accountId: string; first: bigint; addresses: readonly string[]; context: GenerationContext },
): Promise<boolean> {
  const { accountId, first, addresses, context } = taken
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    with taken as (
      update account set next_derivation_nonce = next_derivation_nonce + ${addresses.length}
      where id = ${accountId} and next_derivation_nonce = ${first}
      returning id
    )
    insert into stealth_address (address, account_id, derivation_nonce, generation_context)
    select made.address, taken.id, ${first} + made.place - 1, ${context}
    from taken cross join unnest(${sql.array([...addresses], 'text')}) with ordinality as made (address, place)`)
  return rowCount === addresses.length
}

const handedOutRow = z.object({ address: z.string(), derivationNonce: z.bigint().transform(Number) })

/**
 * Hands out again the unused addresses that were handed out longest ago, and marks them: at most `count`, oldest first.
 * The account must be locked.
 */
export function handOutAgain(
  connection: CommonQueryMethods,
  accountId: string,
  count: number,
): Promise<readonly z.output<typeof handedOutRow>[]> {
  return connection.any(sql.type(handedOutRow)`
    with oldest as (
      select address, handed_out_at from stealth_address
      where account_id = ${accountId} and generation_context = 'external' and not ${hasActivity}
      order by handed_out_at, derivation_nonce limit ${count} for no key update
    ), marked as (
      update stealth_address set handed_out_at = clock_timestamp() from oldest
      where stealth_address.address = oldest.address
      returning stealth_address.address, derivation_nonce, oldest.handed_out_at as before
    )
    select address, derivation_nonce as "derivationNonce" from marked order by before, derivation_nonce`)
}

const madeRow = z.object({ createdAt: z.date() })

/** Creation time of the `place`-th newest unused address; null where there are fewer. */
export async function findUnusedMadeAt(
  connection: CommonQueryMethods,
  accountId: string,
  place: number,
): Promise<Date | null> {
  const row = await connection.maybeOne(sql.type(madeRow)`
    select created_at as "createdAt" from stealth_address
    where account_id = ${accountId} and generation_context = 'external' and not ${hasActivity}
    order by created_at desc offset ${place - 1} limit 1`)
  return row?.createdAt ?? null
}
