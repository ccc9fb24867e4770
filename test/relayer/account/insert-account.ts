import { randomBytes, randomUUID } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { sql } from '../../../db/connect-database.ts'

export interface TestAccount {
  accountId: string
  /** Holds the spending key. */
  spender: PrivateKeyAccount
}

/** An account as sign-up leaves it, but for its viewing keys, which are random bytes. */
export async function insertAccount(connection: CommonQueryMethods): Promise<TestAccount> {
  const accountId = randomUUID()
  const spender = privateKeyToAccount(generatePrivateKey())
  await connection.query(sql.typeAlias('void')`
    insert into account (id, auth_address, sealed_keys, master_key_id)
    values (${accountId}, ${spender.address}, ${sql.binary(randomBytes(32))}, 'test')`)
  return { accountId, spender }
}

/** Moves the time at which an account was created. */
export async function ageAccount(
  connection: CommonQueryMethods,
  accountId: string,
  days: number,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update account set created_at = created_at - make_interval(days => ${days}) where id = ${accountId}`)
}
