import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'

/** Records the number of addresses of an account that is about to be deleted. @param signer Keyed hash of its sign-in address. */
export async function rememberAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  signer: Buffer,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into earlier_account (signer_hash, addresses)
    select ${sql.binary(signer)}, greatest(next_derivation_nonce, addresses_before) from account
    where id = ${accountId} and greatest(next_derivation_nonce, addresses_before) > 0
    on conflict (signer_hash) do update set addresses = greatest(earlier_account.addresses, excluded.addresses)`)
}

/** Sets on a new account the number of addresses of an earlier one with the same signer: those may have a past. */
export async function recallAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  signer: Buffer,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update account set addresses_before = earlier.addresses from earlier_account as earlier
    where account.id = ${accountId} and earlier.signer_hash = ${sql.binary(signer)}`)
}
