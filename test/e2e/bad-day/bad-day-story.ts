import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, encodeFunctionData, toHex, zeroAddress } from 'viem'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { mostLost } from '../../../relayer/chain/unpaid-gas/budget-rules.ts'
import { deriveAccounts } from '../../devnet/accounts.ts'
import { askNode } from '../../harness/ask-node.ts'
import { openPayer } from '../../harness/chain-actors.ts'
import { openTestDatabase } from '../../harness/open-test-database.ts'
import { startRedis } from '../../harness/start-redis.ts'
import { countLostGas } from '../../relayer/chain/unpaid-gas/count-lost-gas.ts'
import { startTestDevnet } from '../../harness/start-test-devnet.ts'
import { createBurners } from '../../relayer/chain/unpaid-gas/create-burners.ts'
import { loadRelayVectors } from '../../vectors/load-relay-vectors.ts'
import { attack, deployHostileTokens, type Crowd } from './attackers.ts'
import { BURNERS_NOTES, BURNS, openThief } from './burn-gas.ts'
import { keepMining } from './keep-mining.ts'
import { occupyCores, watchRunnable } from './occupy-cores.ts'
import {
  newDiary,
  openHonestAccount,
  type Diary,
  type HonestAccount,
  type Pay,
} from './open-honest-account.ts'
import { startLyingVenue, type LyingVenue } from './start-lying-venue.ts'
import type { Pair, PairOptions } from './start-pair.ts'
import { startBadNode } from './start-bad-node.ts'

export interface BadDay {
  /** Program of Redis. */
  redis: string
  start(options: PairOptions): Promise<Pair>
  /** Of honest clients alone, before and for comparison. */
  calmMs: number
  /** At least; it ends once each kind of attacker has burnt gas. */
  attackMs: number
  /**
   * Of honest clients without attackers, at the same bad nodes, while idle loops want the cores as much as the attack
   * did: the difference is the attackers' doing, not the machine's. 0 leaves it out.
   */
  busyMs: number
  honest: number
  crowd: Crowd
  kills: number
  moodMs: number
}

const UNPAID_GAS = 10_000_000n
/** For the first gas that attackers burn, beyond the attack's time: an overloaded machine takes a minute for a quote. */
const BURN_PATIENCE_MS = 300_000

/**
 * Memory in use after a collection, in MiB. The caches of accounts, tokens, schemas and relays have bounds, which a day
 * of hundreds of clients may fill. Slow readers alone made 4 GB before they were bounded.
 */
const MEMORY_MB = 96
/** On disk for each account that came, in KiB, with all that it did, and for the chains' blocks. */
const DISK_KB_EACH = 1_024
const DISK_MB_BESIDE = 48

/**
 * Refusals that an honest client may get on a bad day: nodes fail, and the service is killed. No crowd takes its share.
 */
const OF_OTHERS = /RATE_LIMITED|GAS_BUDGET_USED_UP|429/

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
  const mining = stack.adopt(await keepMining(nodes), ({ stop }) => stop())
  const bad = await Promise.all(
    nodes.flatMap((node, place) =>
      [true, false].map((lacks, second) => startBadNode(node, { seed: 3 * place + 5 * second, lacks })),
    ),
  )
  stack.defer(async () => {
    for (const one of bad) await one.close()
  })
  const payer = await openPayer({ dataDir: devnet.dataDir } as never, 5)
  const venue = stack.adopt(await startLyingVenue(payer), ({ close }) => close())
  const database = stack.adopt(await openTestDatabase(), ({ drop }) => drop())
  const redis = stack.adopt(await startRedis(day.redis), ({ stop }) => stop())
  const served = [...devnet.devnet.chains, ...other.devnet.chains].map((chain, place) => {
    if (!chain.relayer) throw new Error('a chain has no relayer')
    const rpcUrls = bad.slice(2 * place, 2 * place + 2).map(({ url }) => url)
    const { outputGuard } = chain.venues
    return {
      ...chain,
      rpcUrls,
      // One more than a reorg takes back.
      confirmations: 2,
      relayer: { ...chain.relayer, unpaidGasPerHour: Number(UNPAID_GAS) },
      ...(place === 0 && { venues: { kyberswap: venue.settings, outputGuard } }),
    }
  })
  const pair = stack.adopt(
    await day.start({ chains: served, databaseUrl: database.url, redisUrl: redis.url }),
    ({ stop }) => stop(),
  )
  const { urls } = pair

  const rich = deriveAccounts().clients[2]!.address
  let last: Promise<unknown> = Promise.resolve()
  // One after the other: a node gives nonces by its own pool.
  const pay: Pay = (chain, token, to, amount) => {
    const send = () =>
      askNode(chain.rpcUrl, 'eth_sendTransaction', {
        from: rich,
        ...(token === zeroAddress
          ? { to, value: toHex(amount) }
          : {
              to: token,
              data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
            }),
      })
    const sent = last.then(send)
    last = sent.catch(() => undefined)
    return sent
  }
  const notes = loadRelayVectors().relays.slice(BURNERS_NOTES, LAST_NATIVE)
  const accounts = await Promise.all(
    Array.from({ length: day.honest }, (_, place) => openHonestAccount(urls, place, chains, pay, notes)),
  )
  await Promise.all(accounts.map((account) => account.beFunded()))
  const kinds = Array.from({ length: day.crowd.thieves }, () => ['send', 'dapp_call'] as const).flat()
  const thieves = await Promise.all(
    kinds.map((kind, place) => openThief({ urls, database, payer }, kind, place)),
  )
  for (const account of accounts)
    await expect.poll(() => hasFunds(account), { timeout: SETTLE_MS, interval: 1_000 }).toBe(true)
  const burners = await createBurners(nodes[0]!)
  const hostileTokens = await Promise.all(nodes.map(deployHostileTokens))
  mining.storm()

  const live = async (milliseconds: number, isEnough = () => true): Promise<Diary> => {
    const diary = newDiary()
    const ending = new AbortController()
    const over = sleep(milliseconds).then(async () => {
      const until = performance.now() + BURN_PATIENCE_MS
      while (!isEnough() && performance.now() < until) await sleep(100)
      ending.abort()
    })
    await Promise.all([over, ...accounts.map((account) => account.live(diary, ending.signal))])
    return diary
  }
  const liveBusily = async (loops: number): Promise<Diary> => {
    const over = new AbortController()
    const moods = changeMoods(bad, venue, day.moodMs, over.signal)
    const release = occupyCores(loops)
    try {
      return await live(day.busyMs)
    } finally {
      release()
      over.abort()
      await moods
      for (const one of bad) one.behave()
    }
  }
  const readCalm = watchRunnable()
  const calm = await live(day.calmMs)
  const calmRunnable = readCalm()
  const before = { memory: await pair.readMemory?.(), disk: await readDisk(database.pool) }

  const ending = new AbortController()
  const { signal } = ending
  const counts: Record<string, number> = {}
  const victims = () => accounts.flatMap(({ owned }) => owned.slice(-2))
  const field = { urls, nodes, payer, database, mining, burners, hostileTokens, victims, counts, signal }
  const attacking = attack(field, day.crowd, thieves)
  const lying = changeMoods(bad, venue, day.moodMs, signal)
  const killing = (async () => {
    for (let kill = 0; kill < day.kills && !signal.aborted; kill += 1) {
      await sleep(day.attackMs / (day.kills + 1), undefined, { signal }).catch(() => undefined)
      await pair.kill?.()
    }
  })()
  const readAttack = watchRunnable()
  const attacked = await live(day.attackMs, () => BURNS.every((what) => (counts[`${what}, burnt`] ?? 0) > 0))
  const wanted = Math.max(0, Math.round(readAttack() - calmRunnable))
  ending.abort()
  for (const one of bad) one.behave()
  await Promise.all([attacking, lying, killing])
  const busy = day.busyMs > 0 ? await liveBusily(wanted) : null
  const endedAt = performance.now()

  const ends = (await Promise.all(accounts.map((account) => account.ends()))).flat()
  await untilNothingWaits(database.pool)
  const settleMs = performance.now() - endedAt
  for (const account of accounts)
    await expect
      .poll(
        async () => {
          const { api, chain } = await account.books()
          return api.filter((line) => !chain.includes(line)).map((line) => ({ line, chain }))
        },
        { interval: 1_000 },
      )
      .toEqual([])
  for (const account of accounts)
    await expect.poll(() => account.listBroken(), { interval: 1_000 }).toEqual([])
  for (const url of urls) expect((await fetch(`${url}/health/ready`)).status).toBe(200)

  const lost = await Promise.all(served.map((chain, place) => countLostGas(chain, nodes[place])))
  const after = { memory: await pair.readMemory?.(), disk: await readDisk(database.pool) }
  const figures = {
    calm: calm.counts,
    attacked: attacked.counts,
    ends: countEach(ends.map(({ what, status }) => `${what} ${status}`)),
    attackers: counts,
    moods: bad.map(({ moods }) => Object.fromEntries(moods)),
    gasLost: lost.map(({ gas }) => String(gas)),
    memoryMb: [before.memory, after.memory],
    diskMb: [before.disk, after.disk],
    settleMs: Math.round(settleMs),
    p95Ratio: describe95(calm, attacked),
    ...(busy && { busyLoops: wanted, busy: busy.counts, p95ByAttackers: describe95(busy, attacked) }),
  }
  const facts = JSON.stringify(figures)
  expect(pair.faults(), facts).toEqual([])
  for (const { gas } of lost) expect(gas, facts).toBeLessThanOrEqual(mostLost(UNPAID_GAS))
  for (const what of BURNS) expect(counts[`${what}, burnt`] ?? 0, facts).toBeGreaterThan(0)
  expect(lost[0]!.gas, facts).toBeGreaterThan(0n)
  for (const what of ['send', 'relay'] as const) {
    const own = ends.filter((end) => end.what === what)
    expect(attacked.counts[what] ?? 0, facts).toBeGreaterThan(0)
    expect(
      own.filter(({ status }) => status !== 'confirmed'),
      facts,
    ).toEqual([])
  }
  expect(
    Object.keys(attacked.counts).filter((what) => OF_OTHERS.test(what)),
    facts,
  ).toEqual([])
  if (before.memory && after.memory)
    expect(after.memory.inUse, facts).toBeLessThan(before.memory.inUse + MEMORY_MB)
  const newcomers = (counts['free accounts'] ?? 0) + thieves.length
  expect(after.disk, facts).toBeLessThan(before.disk + DISK_MB_BESIDE + (newcomers * DISK_KB_EACH) / 1_024)
  expect(attacked.counts['read'] ?? 0, facts).toBeGreaterThan(0)
  return figures
}

/** Relays of the native pool; those behind are of the token's. */
const LAST_NATIVE = 62

/** Whether the service has seen all that an account was paid before the day. */
async function hasFunds({ books }: HonestAccount): Promise<boolean> {
  const { api, chain } = await books()
  const funded = chain.filter((line) => !line.endsWith(': 0 and 0'))
  return funded.length === FUNDED_LINES && funded.every((line) => api.includes(line))
}

/** Coins and dollars of two chains. */
const FUNDED_LINES = 4

/** Of the two nodes of a chain one at a time is bad at most half of the turns; else both are. */
async function changeMoods(
  bad: readonly Awaited<ReturnType<typeof startBadNode>>[],
  venue: LyingVenue,
  moodMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    venue.change()
    for (const [place, node] of bad.entries())
      if (turn % 3 === 2 || (turn + place) % 2 === 0) await node.change()
      else node.behave()
    await sleep(moodMs, undefined, { signal }).catch(() => undefined)
  }
}

const NOTHING = { transactions: 0n, submitted: 0n, stale: 0n, kept: 0n, astray: 0n }
/** For the rest of a day's blocks: a busy machine takes minutes. */
const SETTLE_MS = 600_000

/**
 * True for a quote whose signature was in a block that a reorg took back, and fails since. Any reader of that block may
 * execute it until it expires, so the quote rightly waits. All quotes of honest accounts ended before.
 */
const isHeldByItsSignature = sql.fragment`exists (
  select from intent where intent.quote_id = quote.id and exposed and ended_at is null)`

/** Waits until no transaction is pending, no quote holds anything, and all blocks and balances are read. */
async function untilNothingWaits(pool: Awaited<ReturnType<typeof openTestDatabase>>['pool']): Promise<void> {
  const waiting = () =>
    pool.one(sql.type(z.record(z.string(), z.bigint()))`
      select (select count(*) from outbound_tx where settled_at is null) as transactions,
        (select count(*) from quote where status = 'submitted' and not ${isHeldByItsSignature}) as submitted,
        (select count(*) from holding where stale and problem is null) as stale,
        (select count(*) from reservation left join quote on quote.id = quote_id
          where released_at is null and (quote.id is null or status <> 'locked' or expires_at < now())
            and not ${isHeldByItsSignature}) as kept,
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

/** The 95th percentiles of one time and another in milliseconds, and their ratio. */
const compare = (one: Diary, other: Diary) =>
  Object.fromEntries(
    (['quote', 'balance', 'address'] as const).map((kind) => {
      const [before, after] = [p95(one.durations[kind]), p95(other.durations[kind])]
      return [kind, { before, after, moved: after / before }]
    }),
  )

const describe95 = (one: Diary, other: Diary) =>
  Object.fromEntries(
    Object.entries(compare(one, other)).map(([kind, { before, after, moved }]) => [
      kind,
      `${after.toFixed(0)} ms by ${before.toFixed(0)} ms: ${moved.toFixed(1)}`,
    ]),
  )

const countEach = (values: readonly string[]) =>
  Object.fromEntries([...new Set(values)].map((one) => [one, values.filter((other) => other === one).length]))
