import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { operations } from '../../schema/features.ts'
import type { TimedBody } from '../harness/count-rpc.ts'
import { actsOfSeveral, actsOfTable, actsThatSpend, type Act } from './node-joins/act-as-holder.ts'
import { findJoinedRequests, linkByTime, namedIn, type Joined, type Owners } from './node-joins/find-joins.ts'
import { startNodeWorld, untilIndexed, type Holder, type NodeWorld } from './node-joins/start-node-world.ts'

const HOLDERS = 6
/**
 * The service does not hide a client's own rhythm. So each client pauses for longer than the linkers' window before it
 * acts.
 */
const PAUSE_MS = 520
/** Chance, three points, and what luck gives to so few guesses at most once in some hundred runs: three standard deviations. */
const mostByLot = (chance: number, guesses: number) =>
  chance + 0.03 + 3 * Math.sqrt((chance * (1 - chance)) / Math.max(guesses, 1))

let world: NodeWorld
/** The accounts of all addresses in the end, and of those that were there before anything was recorded. */
let owners: Owners
let funded: Owners
/** The holders' acts, with the statuses of the answers. */
const doings: { account: string; name: string; from: number; to: number; status: number }[] = []
const joined: Joined[] = []
/** Recipients of quotes that were not submitted. */
const unpaid: string[] = []
/** The questions to each node. */
let recorded: TimedBody[][]

const bare = (address: string) => address.slice(2).toLowerCase()

/** SECURITY.md's exceptions that join addresses for a node: the rows of its table. */
const exceptions = [
  ...readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')
    .split('| what joins addresses for a node |')[1]!
    .split('\n\n')[0]!
    .matchAll(/^\| ([^|]+) \|/gm),
].map(([, name]) => name!.trim())

async function listOwners(): Promise<Owners> {
  const rows = await world.service.database.pool.any(
    sql.type(z.object({ address: z.string(), account: z.string() }))`
      select address, account_id::text as account from stealth_address`,
  )
  return new Map(rows.map(({ address, account }) => [bare(address), account]))
}

beforeAll(async () => {
  world = await startNodeWorld({ transact: { questionSpacingMs: 500 } })
  const holders: Holder[] = []
  for (let count = 0; count < HOLDERS; count += 1) holders.push(await world.openHolder())
  await untilIndexed(world)
  funded = await listOwners()
  for (const node of world.nodes.flat()) node.takeTimed()
  // After a logout the holder could do nothing.
  const asked = operations.filter(({ rest }) => rest !== 'POST /v1/logout')
  await Promise.all(
    holders.map((holder, place) =>
      live(holder, [...actsOfTable(world, asked, holder), ...actsOfSeveral(world, holder)], place),
    ),
  )
  await untilIndexed(world)
  recorded = world.nodes.flat().map((node) => node.takeTimed())
  owners = await listOwners()
}, 600_000)
afterAll(() => world?.[Symbol.asyncDispose]())

/** Does everything in random order, one after the other, and at last one act that uses the funds up. */
async function live(holder: Holder, acts: readonly Act[], place: number): Promise<void> {
  const { client } = holder
  const spending = actsThatSpend(world, holder)
  const shuffled = acts.map((act) => ({ act, by: Math.random() })).toSorted((one, other) => one.by - other.by)
  for (const act of [...shuffled.map((one) => one.act), spending[place % spending.length]!]) {
    if (act.isOfAccount) await sleep(PAUSE_MS * (1 + Math.random() / 2))
    const from = Date.now()
    const { status, joins, unpaid: recipient } = await act.run()
    if (recipient) unpaid.push(bare(recipient))
    doings.push({ account: client.accountId, name: act.name, from, to: Date.now(), status })
    if (joins && exceptions.includes(act.name))
      joined.push({ at: joins.at, addresses: joins.addresses.map(bare) })
  }
}

test('every act on several addresses took place, and each exception of SECURITY.md is used', () => {
  const statusOf = (name: string) => [
    ...new Set(doings.filter((one) => one.name === name).map(({ status }) => status)),
  ]
  for (const name of [
    'max-spendable of tokens',
    'max-spendable of coins',
    'max-spendable of deposits',
    'two max-spendable in one document',
    'two recipients in one document',
    'a joined quote that is not submitted',
    'a quote of a conversion from two addresses',
    'a quote of a send to an own address',
    'a quote of a swap',
    'a conversion from two addresses',
    'POST /v1/accounts/{accountId}/collectible/verify',
    ...exceptions,
  ])
    expect(statusOf(name), name).toEqual([200])
  for (const name of ['a quote without the funds', 'a quote whose fees are missing'])
    expect(statusOf(name), name).toEqual([400])
  expect(recorded.flat().length).toBeGreaterThan(HOLDERS)
})

test('no request to a node names two addresses of one account', () => {
  const told = recorded
    .flatMap((requests) => findJoinedRequests(requests, owners, joined))
    .map(({ at, account, addresses, methods }) => {
      const doing = doings.filter((one) => one.account === account && one.from <= at && at <= one.to + 500)
      return `${doing.map(({ name }) => name).join(', ')}: ${addresses.length} by ${[...new Set(methods)].join('+')}`
    })
  expect([...new Set(told)].toSorted()).toEqual([])
})

test('a node sees no two payers of one quote beside its recipient, unless the quote is submitted', () => {
  expect(unpaid).toHaveLength(HOLDERS)
  for (const recipient of unpaid)
    for (const requests of recorded) {
      const beside = requests.filter(({ body }) => body.toLowerCase().includes(recipient))
      const named = new Set(beside.flatMap(({ body }) => namedIn(body, owners)))
      // A request may carry questions of several accounts: whose payers they are, no node knows.
      const byAccount = Map.groupBy(named, (address) => owners.get(address))
      for (const payers of byAccount.values()) expect(payers).toHaveLength(1)
    }
})

test.each([50, 500])(
  "a linker of a node's questions within %i ms is right no more often than by lot",
  (windowMs) => {
    for (const requests of recorded) {
      const { guesses, precision, chance } = linkByTime(requests, funded, { windowMs, joined })
      expect(precision, `${guesses} guesses`).toBeLessThanOrEqual(mostByLot(chance, guesses))
    }
    // With next to nothing asked at about the same time the linkers could not be right.
    const { guesses } = linkByTime(recorded.flat(), funded, { windowMs, joined })
    expect(guesses).toBeGreaterThan(20)
  },
)
