import { maxUint256, parseEther, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { insertQuote } from '../../../../db/transact/quotes.ts'
import { markSpent, releaseSpent, reserveFunds } from '../../../../db/transact/reservations.ts'
import { readHoldings, readTransfers } from '../../../harness/read-facts.ts'
import { newQuote } from '../../account/seed-quote.ts'
import { pay } from './calls.ts'
import { randomAddress } from './chain-calls.ts'
import { deployCoinToken, deployHostileToken } from './hostile-token.ts'
import { seedAddresses } from './seed-addresses.ts'
import { startIndexer, type RunningIndexer } from './start-indexer.ts'
import { eventually, startIndexWorld, untilSynced, type IndexWorld } from './start-index-world.ts'
import { startRefusingDoor, type RefusingDoor } from './start-refusing-door.ts'

let world: IndexWorld
let door: RefusingDoor
let running: RunningIndexer
const start = (settings: Partial<IndexWorld['config']> = {}) =>
  startIndexer(
    world.database.pool,
    { ...world.config, ...settings },
    { leaseMs: 1_000 },
    { rpcUrls: [door.url] },
  )
const restart = async (settings: Partial<IndexWorld['config']> = {}) => {
  await running.stop()
  running = await start(settings)
}
beforeAll(async () => {
  world = await startIndexWorld()
  door = await startRefusingDoor(world.rpcUrl)
  running = await start()
})
afterAll(async () => {
  await running?.stop()
  await door?.close()
  await world?.[Symbol.asyncDispose]()
})

/** An account with addresses that are watched. */
async function watch(count: number): Promise<Address[]> {
  const own = Array.from({ length: count }, randomAddress)
  await seedAddresses(world.database.pool, own)
  await untilSynced(world, running)
  return own
}

const native = async (address: Address) =>
  (await readHoldings(world.database.pool, [address])).find(({ token }) => token === zeroAddress)?.amount

const problemsOf = (token: Address) =>
  world.database.pool.any(sql.type(
    z.object({ problem: z.string().nullable(), amount: z.bigint(), stale: z.boolean() }),
  )`
    select problem, amount, stale from holding where lower(token) = ${token.toLowerCase()} order by address`)

const progress = async () => {
  const [chain] = await running.indexer.progress()
  if (!chain) throw new Error('no chain is indexed')
  return chain
}

const accountOf = (address: Address) =>
  world.database.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select account_id::text as id from stealth_address where address = ${address}`)

const totalOf = async (owner: Address, token: Address) =>
  world.database.pool.maybeOneFirst(sql.type(z.object({ amount: z.bigint() }))`
    select amount from account_holding
    where account_id = ${await accountOf(owner)}::uuid and lower(token) = ${token.toLowerCase()}`)

test('a token that reports 2^256-1 for each of twelve addresses stops no other account: payments are indexed, spent locks end', async () => {
  const { pool } = world.database
  const victims = await watch(12)
  const [stranger = zeroAddress] = await watch(1)
  const { chainId } = world.config
  await world.mine(pay(stranger, parseEther('2')))
  await untilSynced(world, running)
  const quote = newQuote(await accountOf(stranger))
  await insertQuote(pool, quote)
  const reserved = {
    chainId,
    token: zeroAddress,
    networkFee: 0n,
    serviceFee: 0n,
    address: stranger,
    amount: 5n,
  }
  await reserveFunds(pool, quote.id, [reserved])

  const token = await deployHostileToken(world, { word: maxUint256 })
  await world.mine(token.drop(victims), pay(stranger, 7n))
  await world.mine(pay(victims[0] ?? zeroAddress, 3n))
  await untilSynced(world, running)
  expect(await native(stranger)).toBe(parseEther('2') + 7n)
  expect(await native(victims[0] ?? zeroAddress)).toBe(3n)
  expect(await problemsOf(token.address)).toEqual(
    victims.map(() => ({ problem: 'absurd', amount: 0n, stale: false })),
  )
  expect((await totalOf(victims[0] ?? zeroAddress, token.address)) ?? 0n).toBe(0n)

  const [hash] = await world.mine(pay(randomAddress(), 5n, stranger), token.drop(victims))
  await untilSynced(world, running)
  const { indexedBlock } = await progress()
  expect((await readTransfers(pool, [stranger], 10)).map(({ txHash }) => txHash)).toContain(hash)
  await markSpent(pool, [{ quoteId: quote.id, blockNumber: indexedBlock ?? 0n }])
  expect(await releaseSpent(pool, chainId, indexedBlock ?? 0n)).toBe(1)

  await restart()
  await world.mine(token.drop(victims), pay(stranger, 1n))
  await untilSynced(world, running)
  expect(await progress()).toMatchObject({ state: 'live', problem: null, rowsSetAside: 0 })
  expect((await progress()).problemHoldings).toBeGreaterThanOrEqual(12)
})

test('amounts below the absurd are added up without a limit, and a balance that is plausible again counts again', async () => {
  const victims = await watch(20)
  const [first = zeroAddress] = victims
  const most = 2n ** 255n - 1n
  const token = await deployHostileToken(world, { word: most })
  await world.mine(token.drop(victims, maxUint256))
  await untilSynced(world, running)
  expect(await totalOf(first, token.address)).toBe(20n * most)
  await world.mine(token.say(most + 1n), token.drop(victims))
  await untilSynced(world, running)
  expect(await totalOf(first, token.address)).toBe(0n)
  await world.mine(token.say(4n), token.drop([first]))
  await untilSynced(world, running)
  expect(await totalOf(first, token.address)).toBe(4n)
})

test('rows that the database refuses are left out one by one and counted, and their block is written, also after a restart', async () => {
  const { pool } = world.database
  const [victim = zeroAddress, other = zeroAddress] = await watch(2)
  const [stranger = zeroAddress] = await watch(1)
  const [bad, good] = [
    await deployHostileToken(world, { word: 5n }),
    await deployHostileToken(world, { word: 6n }),
  ]
  // As an unknown width of a column would.
  await pool.query(sql.unsafe`alter table transfer add constraint narrow check (amount <> 666)`)
  await pool.query(sql.unsafe`alter table holding add constraint narrow check (amount <> 5)`)
  try {
    const before = (await progress()).rowsSetAside
    await world.mine(
      bad.drop([victim, other], 665n),
      bad.drop([victim], 666n),
      good.drop([victim]),
      pay(stranger, 9n),
    )
    await untilSynced(world, running)
    const told = await readTransfers(pool, [victim], 10)
    expect(new Set(told.map(({ amount }) => amount))).toEqual(new Set([1n, 665n]))
    expect(await native(stranger)).toBe(9n)
    expect(await totalOf(victim, good.address)).toBe(6n)
    expect(await problemsOf(bad.address)).toEqual(
      [1, 2].map(() => ({ problem: 'unwritable', amount: 0n, stale: true })),
    )
    expect((await progress()).rowsSetAside).toBe(before + 3)

    await restart()
    await world.mine(bad.drop([victim], 666n), pay(stranger, 1n))
    await untilSynced(world, running)
    expect(await native(stranger)).toBe(10n)
    expect(await progress()).toMatchObject({ state: 'live', problem: null, rowsSetAside: before + 5 })
  } finally {
    await pool.query(sql.unsafe`alter table transfer drop constraint narrow`)
    await pool.query(sql.unsafe`alter table holding drop constraint narrow`)
  }
})

test('a hundred balances that answer a megabyte each cost no more than a word each', async () => {
  const [victim = zeroAddress] = await watch(1)
  const [stranger = zeroAddress] = await watch(1)
  const token = await deployHostileToken(world, { word: 5n, size: 900_000 })
  await untilSynced(world, running)
  door.takeBytes()
  await world.mine(token.dropMany(victim, 100), pay(stranger, 11n))
  await untilSynced(world, running)
  expect(await native(stranger)).toBe(11n)
  expect((await problemsOf(token.address)).map(({ amount }) => amount)).toEqual(
    Array.from({ length: 100 }, () => 5n),
  )
  expect(door.takeBytes()).toBeLessThan(1_000_000)
})

test('a balance that no node can read is set aside alone, and read once one can', async () => {
  const { pool } = world.database
  const [victim = zeroAddress] = await watch(1)
  const [stranger = zeroAddress] = await watch(1)
  const [bad, good] = [
    await deployHostileToken(world, { word: 5n }),
    await deployHostileToken(world, { word: 6n }),
  ]
  await untilSynced(world, running)
  door.refuse(bad.address.slice(2))
  // Logs and traces name the token as well: only the reading of balances is refused.
  await world.mine(good.drop([victim, stranger]), pay(stranger, 12n))
  await untilSynced(world, running)
  await pool.query(sql.unsafe`
    insert into holding (chain_id, address, standard, token, stale)
    select ${world.config.chainId}, address, 'erc20', ${bad.address}, true
    from unnest(${sql.array([victim, stranger], 'text')}) as owner (address)`)
  await untilSynced(world, running)
  expect(await problemsOf(bad.address)).toEqual(
    [1, 2].map(() => ({ problem: 'unreadable', amount: 0n, stale: true })),
  )
  await world.mine(pay(stranger, 1n))
  await untilSynced(world, running)
  expect(await native(stranger)).toBe(13n)
  expect(await progress()).toMatchObject({ state: 'live', problem: null })

  door.refuse(null)
  await world.mine(bad.drop([victim, stranger]))
  await eventually(
    () => problemsOf(bad.address),
    (rows) => rows.length > 0 && rows.every(({ problem, amount }) => problem === null && amount === 5n),
  )
})

test('a balance that changes without a log is found by the sweep', async () => {
  const own = await watch(3)
  const token = await deployHostileToken(world, { word: 100n })
  await world.mine(token.drop(own))
  await untilSynced(world, running)
  expect(await totalOf(own[0] ?? zeroAddress, token.address)).toBe(300n)
  await world.mine(token.say(90n))
  await untilSynced(world, running)
  // A sweep takes place once a minute, and first when an instance begins.
  await restart()
  await eventually(
    () => totalOf(own[0] ?? zeroAddress, token.address),
    (total) => total === 270n,
  )
})

test('a coin that is also a token is one asset once the chain names it, and its transfers are shown once', async () => {
  const { pool } = world.database
  const [own = zeroAddress] = await watch(1)
  const coin = await deployCoinToken(world)
  await world.mine(coin.transfer(own, 7n))
  await untilSynced(world, running)
  expect((await readHoldings(pool, [own])).map(({ token }) => token)).toContain(coin.address)

  await restart({ coinToken: coin.address })
  const [hash] = await world.mine(coin.transfer(own, 5n))
  await untilSynced(world, running)
  expect((await readHoldings(pool, [own])).map(({ token, amount }) => [token, amount])).toEqual([
    [zeroAddress, 12n],
  ])
  const told = (await readTransfers(pool, [own], 10)).filter(({ txHash }) => txHash === hash)
  expect(told.map(({ standard, token, amount }) => [standard, token, amount])).toEqual([
    ['native', zeroAddress, 5n],
  ])
})
