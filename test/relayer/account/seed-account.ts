import { randomBytes, randomUUID } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { insertAccount as writeAccount } from '../../../db/account/profile/accounts.ts'
import { sql } from '../../../db/connect-database.ts'

export interface TestAccount {
  accountId: string
  /** Holds the spending key. */
  spender: PrivateKeyAccount
}

/** An account as sign-up leaves it, except that its viewing keys are random bytes. */
export async function seedAccount(connection: CommonQueryMethods): Promise<TestAccount> {
  const accountId = randomUUID()
  const spender = privateKeyToAccount(generatePrivateKey())
  await writeAccount(connection, {
    id: accountId,
    authAddress: spender.address,
    sealedKeys: { bytes: randomBytes(32), masterKeyId: 'test' },
    experimentId: null,
    experimentKey: null,
    variantKey: null,
  })
  return { accountId, spender }
}

/** Changes the time at which an account was created. */
export async function ageAccount(
  connection: CommonQueryMethods,
  accountId: string,
  days: number,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update account set created_at = created_at - make_interval(days => ${days}) where id = ${accountId}`)
}
