import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { privateKeyToAddress, generatePrivateKey } from 'viem/accounts'
import { z } from 'zod'
import { writeMissingAddresses } from '../../../../db/account/addresses/stealth-addresses.ts'
import { sql } from '../../../../db/connect-database.ts'
import { createLogger } from '../../../../gateway/logging.ts'
import type { RelayingChain } from '../../../../relayer/chain/nodes/chain.ts'
import { followReviews } from '../../../../relayer/pool/state/follow-reviews.ts'
import type { Pool, PoolState } from '../../../../relayer/pool/state/pool-state.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../../account/seed-account.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const CHAIN = 1
const newAddress = () => privateKeyToAddress(generatePrivateKey())

/** A deposit of an account's into a new pool. */
async function openPool(scope: bigint): Promise<{ pool: Pool; label: bigint }> {
  const { accountId } = await seedAccount(database.pool)
  const [depositor, contract] = [newAddress(), newAddress()]
  const label = BigInt(`0x${randomBytes(8).toString('hex')}`)
  await writeMissingAddresses(database.pool, { accountId, first: 0n, addresses: [depositor] })
  await database.pool.query(sql.typeAlias('void')`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, account,
      value, label)
    values (${CHAIN}, ${`0x${randomBytes(32).toString('hex')}`}, 0, 1, now(), '0x01', 'deposit', ${contract},
      ${depositor}, 1, ${label})`)
  const pool = { chainId: CHAIN, address: contract, scope, maxRelayFeeBps: 0n } as Pool
  return { pool, label }
}

/** Starts an association set provider that answers by scope with the result of `answer`. */
async function startProvider(answer: (scope: string, path: string) => unknown): Promise<string> {
  const server: Server = createServer((request, response) => {
    const body = answer(String(request.headers['x-pool-scope']), String(request.url))
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function follow(url: string, pools: readonly Pool[]) {
  const relayer = { asp: { url, pollIntervalMs: 20 } }
  const chain = { config: { chainId: CHAIN, relayer }, isLooking: () => true } as unknown as RelayingChain
  const state = { pools: () => pools } as unknown as PoolState
  const followed = followReviews(chain, state, database.pool, createLogger({ level: 'silent' }))
  onTestFinished(() => followed.stop())
}

const statusOf = (label: bigint) =>
  database.pool.maybeOneFirst(sql.type(z.object({ status: z.string() }))`
    select status from asp_review where label = ${label}`)

test('a pool that the provider does not know does not block the reviews of others', async () => {
  const [unknown, known] = [await openPool(1n), await openPool(2n)]
  const events = [{ type: 'deposit', label: String(known.label), reviewStatus: 'approved' }]
  const url = await startProvider((scope) => (scope === '2' ? { events, total: 1 } : null))
  follow(url, [unknown.pool, known.pool])
  await expect.poll(() => statusOf(known.label)).toBe('approved')
  expect(await statusOf(unknown.label)).toBeNull()
})

test('a deposit is asked about until it is decided, and every answer is stored', async () => {
  const { pool, label } = await openPool(3n)
  let reviewStatus = 'something new'
  const url = await startProvider(() => ({
    events: [
      { type: 'withdrawal' },
      { type: 'deposit', label: '1', reviewStatus: 'approved' },
      { type: 'deposit', label: String(label), reviewStatus },
      { type: 'deposit', label: String(label), reviewStatus },
    ],
    total: 4,
  }))
  follow(url, [pool])
  await expect.poll(() => statusOf(label)).toBe('pending')
  reviewStatus = 'declined'
  await expect.poll(() => statusOf(label)).toBe('declined')
  expect(await statusOf(1n)).toBeNull()
})

test('an invalid answer changes nothing', async () => {
  const { pool, label } = await openPool(4n)
  let asked = 0
  const url = await startProvider(() => {
    asked += 1
    return { events: [{ type: 'deposit', label: `${label}.5`, reviewStatus: 'approved' }], total: 1 }
  })
  follow(url, [pool])
  await expect.poll(() => asked).toBeGreaterThan(2)
  expect(await statusOf(label)).toBeNull()
})

test('the times of requests to the provider do not depend on waiting users', async () => {
  const { pool, label } = await openPool(5n)
  const pages: string[] = []
  const events = [{ type: 'deposit', label: String(label), reviewStatus: 'approved' }]
  const url = await startProvider((_, path) => {
    pages.push(path)
    return { events, total: 1 }
  })
  follow(url, [pool])
  await expect.poll(() => statusOf(label)).toBe('approved')
  const asked = pages.length
  await expect.poll(() => pages.length).toBeGreaterThan(asked + 2)
  expect(new Set(pages).size).toBe(1)
})
