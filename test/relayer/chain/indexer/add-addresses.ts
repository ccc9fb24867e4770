import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { sql } from '../../../../db/connect-database.ts'
import { randomAddress } from './chain-calls.ts'

/** Stealth addresses of a new account. */
export async function addAddresses(pool: CommonQueryMethods, addresses: readonly Address[]): Promise<void> {
  const accountId = await pool.oneFirst(sql.unsafe`
    insert into account (id, auth_address, sealed_keys, master_key_id)
    values (gen_random_uuid(), ${randomAddress()}, ${sql.binary(Buffer.alloc(1))}, 'test') returning id`)
  await pool.query(sql.unsafe`
    insert into stealth_address (address, account_id, derivation_nonce)
    select address, ${accountId as string}::uuid, nonce - 1
    from unnest(${sql.array(addresses, 'text')}) with ordinality as given (address, nonce)`)
}
