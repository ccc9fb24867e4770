import { expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { post } from '../../harness/call.ts'
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
    const countWaiting = () =>
      database.pool.oneFirst(sql.type(z.object({ waiting: z.int() }))`
        select count(*)::int4 as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const locking = database.pool.transaction(async (transaction) => {
      await transaction.query(sql.typeAlias('void')`lock table contact_email`)
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const slow = [
      ...Array.from({ length: CONNECTIONS }, () => greedy.get(`${greedy.path}/contact-email`)),
      post(`${url}/graphql`, { query }, greedy.headers),
    ]
    await expect.poll(countWaiting).toBe(CONNECTIONS / 2)
    expect(await modest.get(`${modest.path}/addresses`)).toMatchObject({ status: 200 })
    expect(await countWaiting()).toBe(CONNECTIONS / 2)
    held.resolve()
    await locking
    const answers = await Promise.all(slow)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.at(-1)?.json?.['errors']).toBeUndefined()
  } finally {
    await database.drop()
  }
})
