import { expect, test } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { post } from '../../harness/call.ts'
import { countWaiting, holdTransaction } from '../../harness/hold-transaction.ts'
import { openTestDatabase } from '../../harness/open-test-database.ts'
import { openAccount } from '../../relayer/account/open-account.ts'
import { openAccountsGateway } from '../open-accounts-gateway.ts'

const CONNECTIONS = 10

test('an account whose reads take long leaves connections of the database to other accounts', async () => {
  const database = await openTestDatabase()
  try {
    const { url } = await openAccountsGateway(database)
    const greedy = await openAccount(url)
    const modest = await openAccount(url)
    const aliases = Array.from({ length: CONNECTIONS }, (_, place) => `a${place}: contactEmail { email }`)
    const query = `{ viewer { account { ${aliases.join(' ')} } } }`
    const locking = await holdTransaction(database.pool, (transaction) =>
      transaction.query(sql.typeAlias('void')`lock table contact_email`),
    )
    const slow = [
      ...Array.from({ length: CONNECTIONS }, () => greedy.get(`${greedy.path}/contact-email`)),
      post(`${url}/graphql`, { query }, greedy.headers),
    ]
    await expect.poll(() => countWaiting(database.pool)).toBe(CONNECTIONS / 2)
    expect(await modest.get(`${modest.path}/addresses`)).toMatchObject({ status: 200 })
    expect(await countWaiting(database.pool)).toBe(CONNECTIONS / 2)
    await locking.commit()
    const answers = await Promise.all(slow)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.at(-1)?.json?.['errors']).toBeUndefined()
  } finally {
    await database.drop()
  }
})
