import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const dappUseTable = byAccount('dapp_use')

const useRow = z.object({ address: z.string(), origin: z.string(), lastUsedAt: z.date() })
/** An address, the origin of the app that knows it, and when the app last used it. */
export type DappUseRow = z.output<typeof useRow>

/** Lists an account's addresses with the apps that know them, the latest use first. */
export function listDappUses(
  connection: CommonQueryMethods,
  accountId: string,
  page: { limit: number; offset: number },
): Promise<readonly DappUseRow[]> {
  return connection.any(sql.type(useRow)`
    select address, origin, last_used_at as "lastUsedAt" from dapp_use where account_id = ${accountId}
    order by last_used_at desc, address, origin limit ${page.limit} offset ${page.offset}`)
}

/** The same for some addresses alone. */
export function listUsesOfAddresses(
  connection: CommonQueryMethods,
  addresses: readonly string[],
): Promise<readonly DappUseRow[]> {
  return connection.any(sql.type(useRow)`
    select address, origin, last_used_at as "lastUsedAt" from dapp_use
    where address = any(${sql.array([...addresses], 'text')}) order by last_used_at desc, origin`)
}

const appAddressRow = z.object({ address: hexText, derivationNonce: smallInteger })
/** The address of an account that an app knows. */
export type AppAddressRow = z.output<typeof appAddressRow>

/** The address that an app knows; null where it knows none. */
export function findAddressOfApp(
  connection: CommonQueryMethods,
  accountId: string,
  origin: string,
): Promise<AppAddressRow | null> {
  return connection.maybeOne(sql.type(appAddressRow)`
    select address, derivation_nonce as "derivationNonce" from dapp_use join stealth_address using (address, account_id)
    where account_id = ${accountId} and origin = ${origin}`)
}

/** How many apps know an address of the account. */
export const countApps = (connection: CommonQueryMethods, accountId: string): Promise<number> =>
  connection.oneFirst(sql.type(z.object({ count: smallInteger }))`
    select count(*) as count from dapp_use where account_id = ${accountId}`)

/** The origin that knows an address of the account, null where none does; undefined for an address that is not its own. */
export async function findAppOfAddress(
  connection: CommonQueryMethods,
  accountId: string,
  address: string,
): Promise<string | null | undefined> {
  const row = await connection.maybeOne(sql.type(z.object({ origin: z.string().nullable() }))`
    select origin from stealth_address left join dapp_use using (address, account_id)
    where account_id = ${accountId} and address = ${address}`)
  return row?.origin
}

/**
 * Records that an app uses an address of the account now. From then on, payers never receive the address.
 * @throws slonik's error, recognised by {@link isAppTaken}, if the address belongs to another app or the app has
 *   another address.
 */
export async function recordDappUse(
  connection: CommonQueryMethods,
  use: { accountId: string; address: string; origin: string },
): Promise<void> {
  const { accountId, address, origin } = use
  const { recorded } = await connection.one(sql.type(z.object({ recorded: z.boolean() }))`
    with known as (
      insert into dapp_use (account_id, address, origin) values (${accountId}, ${address}, ${origin})
      on conflict (address) do update set last_used_at = now() where dapp_use.origin = excluded.origin
      returning address
    ), kept as (
      update stealth_address set generation_context = 'app' from known
      where stealth_address.address = known.address and generation_context is distinct from 'fund-movement'
        and generation_context is distinct from 'app'
    )
    select exists (select from known) as recorded`)
  if (!recorded) throw new AddressTakenError('the address is known to another app')
}

/** Another app was faster to use an address. */
class AddressTakenError extends Error {
  override name = 'AddressTakenError'
}

/** Whether the app was given another address of the account meanwhile, or the address is another app's. */
export const isAppTaken = (error: unknown): boolean =>
  error instanceof AddressTakenError ||
  (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'dapp_use_app')
