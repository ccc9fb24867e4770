import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { markSpent, releaseSpent, reserveFunds } from '../../../db/transact/reservations.ts'
import { seedAccount } from '../../relayer/account/seed-account.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'

const chainId = 7
const token = privateKeyToAddress(generatePrivateKey())

let database: TestDatabase
let accountId: string
beforeAll(async () => {
  database = await openTestDatabase()
  accountId = (await seedAccount(database.pool)).accountId
})
afterAll(() => database.drop())

let derivationNonce = 0
/** An address of the account with a balance of 100 as of block 3; addresses are locked in the order of `place`. */
async function openAddress(place: number): Promise<string> {
  const address = `0x${String(place)}${randomUUID().replaceAll('-', '')}0000000`
  await database.pool.query(sql.typeAlias('void')`
    insert into stealth_address (address, account_id, derivation_nonce)
    values (${address}, ${accountId}, ${derivationNonce++})`)
  await database.pool.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    values (${chainId}, ${address}, 'erc20', ${token}, 100, false, 3, '0x')`)
  return address
}

async function openQuote(): Promise<string> {
  const quoteId = randomUUID()
  await database.pool.query(sql.typeAlias('void')`
    insert into quote (id, account_id, kind, chain_id, token, amount, recipient, terms, network_fee, service_fee,
      fee_waived, gas_cost, expires_at)
    values (${quoteId}, ${accountId}, 'send', ${chainId}, ${token}, 5, 'somebody', '{}', 0, 0, true, 0, now())`)
  return quoteId
}

const of = (address: string, amount: bigint) =>
  ({ chainId, address, token, amount, networkFee: 0n, serviceFee: 0n }) as Parameters<
    typeof reserveFunds
  >[2][number]

/** A balance that the indexer read as of a block. */
const read = (address: string, amount: bigint, block: bigint) =>
  database.pool.query(sql.typeAlias('void')`
    update holding set amount = ${amount}, stale = false, as_of_number = ${block} where address = ${address}`)

it('a reservation that waited for a lock checks the balance as it is after the wait', async () => {
  const { pool } = database
  const [first, second] = [await openAddress(1), await openAddress(2)]
  const spent = await openQuote()
  await pool.transaction((connection) => reserveFunds(connection, spent, [of(first, 10n), of(second, 60n)]))
  await markSpent(pool, [{ quoteId: spent, address: second, blockNumber: 5n }])

  const { promise: done, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const other = pool.transaction(async (connection) => {
    await connection.query(
      sql.typeAlias('void')`select from locked_funds where address = ${first} for update`,
    )
    hold()
    await done
  })
  await held
  const fresh = await openQuote()
  const reserving = pool.transaction((connection) =>
    reserveFunds(connection, fresh, [of(first, 10n), of(second, 80n)]),
  )
  const refused = expect(reserving).rejects.toMatchObject({ constraint: 'locked_funds_within_holding' })
  await expect
    .poll(() =>
      pool.oneFirst(sql.type(z.object({ waits: z.boolean() }))`
        select exists (select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock') as waits`),
    )
    .toBe(true)
  await read(second, 40n, 5n)
  expect(await releaseSpent(pool, chainId, 5n)).toBe(1)
  letGo()
  await Promise.all([other, refused])
})

it('spent funds stay locked until the address was read after the block that spent them', async () => {
  const { pool } = database
  const address = await openAddress(3)
  const quoteId = await openQuote()
  await pool.transaction((connection) => reserveFunds(connection, quoteId, [of(address, 60n)]))
  await markSpent(pool, [{ quoteId, blockNumber: 9n }])
  // As on a chain without traces, where coins leave an address inside a call.
  expect(await releaseSpent(pool, chainId, 9n)).toBe(0)
  expect(
    await pool.oneFirst(sql.type(z.object({ stale: z.boolean() }))`
      select stale from holding where address = ${address}`),
  ).toBe(true)
  await read(address, 40n, 8n)
  expect(await releaseSpent(pool, chainId, 9n)).toBe(0)
  await read(address, 40n, 9n)
  expect(await releaseSpent(pool, chainId, 9n)).toBe(1)
})
