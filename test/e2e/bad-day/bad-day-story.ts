import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, encodeFunctionData, toHex, zeroAddress } from 'viem'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { mostLost } from '../../../relayer/chain/unpaid-gas/budget-rules.ts'
import { deriveAccounts } from '../../../relayer/devnet/accounts.ts'
import { askNode } from '../../harness/ask-node.ts'
import { openPayer } from '../../harness/chain-actors.ts'
import { openTestDatabase } from '../../harness/open-test-database.ts'
import { startRedis } from '../../harness/start-redis.ts'
import { countLostGas } from '../../relayer/chain/unpaid-gas/count-lost-gas.ts'
import { startTestDevnet } from '../../relayer/devnet/start-test-devnet.ts'
import { attack, type Crowd } from './attackers.ts'
import { newDiary, openHonestAccount, type Diary, type Pay } from './open-honest-account.ts'
import type { Pair, PairOptions } from './start-pair.ts'
import { startBadNode } from './start-bad-node.ts'

export interface BadDay {
  /** Program of Redis. */
  redis: string
  start(options: PairOptions): Promise<Pair>
  /** Of honest clients alone, before and for comparison. */
  calmMs: number
  attackMs: number
  honest: number
  crowd: Crowd
  kills: number
  moodMs: number
}

const UNPAID_GAS = 10_000_000n
const BLOCK_MS = 400
const REORG_EVERY = 40

/**
 * In use after a collection, in MiB: what is kept of accounts, tokens, schemas and relays has bounds, which a day of hundreds of
 * clients may fill. Slow readers alone made 4 GB before they were bounded.
 */
const MEMORY_MB = 96
/** On disk for each account that came, in KiB, with all that it did, and for the chains' blocks. */
const DISK_KB_EACH = 1_024
const DISK_MB_BESIDE = 48

/** A day with everything at once; honest accounts go on, and afterwards everything adds up. */
export async function badDayStory(day: BadDay): Promise<Record<string, unknown>> {
  await using stack = new AsyncDisposableStack()
  const devnet = stack.use(await startTestDevnet({}, { hasVectorDeposits: true }))
  const other = stack.use(await startTestDevnet({ chainIds: [31_338] }))
  const chains = [devnet.chain, other.chain]
  const nodes = chains.map(({ rpcUrl }) => rpcUrl)
  for (const node of nodes) {
    await askNode(node, 'anvil_autoImpersonateAccount', true)
    // Simulations of other kinds leave it at zero.
    await askNode(node, 'anvil_setCoinbase', '0x00000000000000000000000000000000c01bba5e')
  }
  const bad = await Promise.all(
    nodes.flatMap((node, place) =>
      [true, false].map((lacks, second) => startBadNode(node, { seed: 3 * place + 5 * second, lacks })),
    ),
  )
  stack.defer(async () => {
    for (const one of bad) await one.close()
  })
  const database = stack.adopt(await openTestDatabase(), ({ drop }) => drop())
  const redis = stack.adopt(await startRedis(day.redis), ({ stop }) => stop())
  const served = [...devnet.devnet.chains, ...other.devnet.chains].map((chain, place) => {
    if (!chain.relayer) throw new Error('a chain has no relayer')
    const rpcUrls = bad.slice(2 * place, 2 * place + 2).map(({ url }) => url)
    return { ...chain, rpcUrls, relayer: { ...chain.relayer, unpaidGasPerHour: Number(UNPAID_GAS) } }
  })
  const pair = stack.adopt(
    await day.start({ chains: served, databaseUrl: database.url, redisUrl: redis.url }),
    ({ stop }) => stop(),
  )
  const { urls } = pair

  const ticking = new AbortController()
  const ticks = tick(nodes, ticking.signal)
  stack.defer(async () => {
    ticking.abort()
    await ticks
  })

  const rich = deriveAccounts().clients[2]!.address
  const pay: Pay = (chain, token, to, amount) =>
    askNode(chain.rpcUrl, 'eth_sendTransaction', {
      from: rich,
      ...(token === zeroAddress
        ? { to, value: toHex(amount) }
        : {
            to: token,
            data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
          }),
    })
  const accounts = await Promise.all(
    Array.from({ length: day.honest }, (_, place) => openHonestAccount(urls, place, chains, pay)),
  )
  const live = async (milliseconds: number): Promise<Diary> => {
    const diary = newDiary()
    const ending = new AbortController()
    const over = sleep(milliseconds).then(() => ending.abort())
    await Promise.all([over, ...accounts.map((account) => account.live(diary, ending.signal))])
    return diary
  }
  const calm = await live(day.calmMs)
  const before = { memory: await pair.readMemory?.(), disk: await readDisk(database.pool) }

  const ending = new AbortController()
  const { signal } = ending
  const payer = await openPayer({ dataDir: devnet.dataDir } as never, 5)
  const counts: Record<string, number> = {}
  const victims = () => accounts.flatMap(({ owned }) => owned.slice(-2))
  const attacking = attack({ urls, nodes, payer, database, victims, counts, signal }, day.crowd)
  const lying = changeMoods(bad, day.moodMs, signal)
  const killing = (async () => {
    for (let kill = 0; kill < day.kills && !signal.aborted; kill += 1) {
      await sleep(day.attackMs / (day.kills + 1), undefined, { signal }).catch(() => undefined)
      await pair.kill?.()
    }
  })()
  const attacked = await live(day.attackMs)
  ending.abort()
  for (const one of bad) one.behave()
  await Promise.all([attacking, lying, killing])

  const ends = (await Promise.all(accounts.map((account) => account.ends()))).flat()
  await untilNothingWaits(database.pool)
  for (const account of accounts)
    await expect
      .poll(async () => {
        const { api, chain } = await account.books()
        return api.filter((line) => !chain.includes(line)).map((line) => ({ line, chain }))
      })
      .toEqual([])
  for (const url of urls) expect((await fetch(`${url}/health/ready`)).status).toBe(200)

  const lost = await Promise.all(served.map((chain, place) => countLostGas(chain, nodes[place])))
  for (const { gas } of lost) expect(gas).toBeLessThanOrEqual(mostLost(UNPAID_GAS))
  const after = { memory: await pair.readMemory?.(), disk: await readDisk(database.pool) }
  const figures = {
    calm: calm.counts,
    attacked: attacked.counts,
    ends: countEach(ends),
    attackers: counts,
    moods: bad.map(({ moods }) => Object.fromEntries(moods)),
    gasLost: lost.map(({ gas }) => String(gas)),
    memoryMb: [before.memory, after.memory],
    diskMb: [before.disk, after.disk],
    p95Ratio: compare(calm, attacked),
  }
  const facts = JSON.stringify(figures)
  if (before.memory && after.memory)
    expect(after.memory.inUse, facts).toBeLessThan(before.memory.inUse + MEMORY_MB)
  const newcomers = (counts['free accounts'] ?? 0) + day.crowd.senders
  expect(after.disk, facts).toBeLessThan(before.disk + DISK_MB_BESIDE + (newcomers * DISK_KB_EACH) / 1_024)
  expect(attacked.counts['read'] ?? 0, facts).toBeGreaterThan(0)
  return figures
}

/** Makes blocks all the time, and takes one back now and then. */
async function tick(nodes: readonly string[], signal: AbortSignal): Promise<void> {
  for (let count = 1; !signal.aborted; count += 1) {
    await sleep(BLOCK_MS, undefined, { signal }).catch(() => undefined)
    for (const [place, node] of nodes.entries())
      await (
        count % REORG_EVERY === 10 * place ? askNode(node, 'anvil_reorg', 1, []) : askNode(node, 'evm_mine')
      ).catch(() => undefined)
  }
}

/** Of the two nodes of a chain one at a time is bad at most half of the turns; else both are. */
async function changeMoods(
  bad: readonly Awaited<ReturnType<typeof startBadNode>>[],
  moodMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    for (const [place, node] of bad.entries())
      if (turn % 3 === 2 || (turn + place) % 2 === 0) await node.change()
      else node.behave()
    await sleep(moodMs, undefined, { signal }).catch(() => undefined)
  }
}

const NOTHING = { transactions: 0n, submitted: 0n, stale: 0n, kept: 0n, astray: 0n }
/** For what a day has left to be read: a busy machine takes minutes. */
const SETTLE_MS = 600_000

/** Until no transaction is under way, no quote holds anything, and all blocks and balances are read. */
async function untilNothingWaits(pool: Awaited<ReturnType<typeof openTestDatabase>>['pool']): Promise<void> {
  const waiting = () =>
    pool.one(sql.type(z.record(z.string(), z.bigint()))`
      select (select count(*) from outbound_tx where settled_at is null) as transactions,
        (select count(*) from quote where status = 'submitted') as submitted,
        (select count(*) from holding where stale and problem is null) as stale,
        (select count(*) from reservation left join quote on quote.id = quote_id
          where released_at is null and (quote.id is null or status <> 'locked' or expires_at < now())) as kept,
        (select count(*) from locked_funds locked where amount <> coalesce((select sum(reservation.amount)
            from reservation where released_at is null and reservation.chain_id = locked.chain_id
              and reservation.address = locked.address and reservation.token = locked.token), 0)) as astray`)
  const isOver = () => expect(waiting()).resolves.toEqual(NOTHING)
  const states = () =>
    pool.any(sql.type(z.object({ state: z.string() }))`
      select to_jsonb(chain)::text as state from indexed_chain chain`)
  await vi.waitFor(isOver, { timeout: SETTLE_MS, interval: 500 }).catch(async (error: unknown) => {
    throw new Error(`something waits still, as of ${JSON.stringify(await states())}`, { cause: error })
  })
}

const readDisk = async (pool: Awaited<ReturnType<typeof openTestDatabase>>['pool']): Promise<number> =>
  Math.round(
    Number(
      await pool.oneFirst(sql.type(z.object({ size: z.bigint() }))`
      select pg_database_size(current_database()) as size`),
    ) /
      2 ** 20,
  )

const p95 = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? Number.NaN

/** The 95th percentiles under attack by those before. */
const compare = (calm: Diary, attacked: Diary) =>
  Object.fromEntries(
    (['quote', 'balance', 'address'] as const).map((kind) => {
      const [one, other] = [p95(calm.durations[kind]), p95(attacked.durations[kind])]
      return [kind, `${other.toFixed(0)} ms by ${one.toFixed(0)} ms: ${(other / one).toFixed(1)}`]
    }),
  )

const countEach = (values: readonly string[]) =>
  Object.fromEntries([...new Set(values)].map((one) => [one, values.filter((other) => other === one).length]))
