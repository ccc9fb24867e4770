import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pad, parseEther, toHex, type Address } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { connectDatabase, sql } from '../../../../db/connect-database.ts'
import { watchDatabase } from '../../../../db/watch-database.ts'
import { migrateDatabase } from '../../../../db/migrate.ts'
import { runConcurrently } from '../../../harness/relay-requests.ts'
import { makeServersFolder, startReplicated, urlOf } from '../../../harness/start-debian-postgres.ts'
import { makeSentTable, sendOne } from './send-one.ts'
import { signerAddress, startEngine } from './start-engine.ts'
import { startNode } from './start-node.ts'

const SIGNERS = 2
const AT_ONCE = 4
/**
 * Anvil may keep a transaction aside although its nonce is the account's next, when it comes while the one before is mined. A
 * higher offer gets it into a block; by default after 30 s.
 */
const BUMP_AFTER_MS = 2_000

const booking = z.object({ reference: z.string(), status: z.string() })

/**
 * Sends while the primary is killed and its synchronous standby promoted. Every acknowledged call is in exactly one
 * block and booked once. The caller sends unacknowledged calls again under another reference; they may have been sent
 * before.
 * @param count Calls that are to be acknowledged.
 */
export async function tellFailoverStory(count: number): Promise<void> {
  const folder = await makeServersFolder()
  const [node, { primary, standby }] = await Promise.all([startNode(), startReplicated(folder)])
  const undo: (() => Promise<unknown>)[] = [folder.remove, node.stop, primary.kill, standby.kill]
  try {
    for (let index = 0; index < SIGNERS; index += 1)
      await node.ask('anvil_setBalance', signerAddress(index), toHex(parseEther('10')))
    await ask(urlOf(primary.port), 'create database relay')
    const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/relay?target_session_attrs=read-write`
    await migrateDatabase(url)
    const pool = await connectDatabase(url)
    undo.push(() => pool.end())
    await pool.query(sql.typeAlias('void')`
      create table booking (reference text, status text, hash text, fee numeric(78, 0), reason text)`)
    await makeSentTable(pool)
    const config = { bumpAfterMs: BUMP_AFTER_MS }
    const engine = await startEngine(pool, {
      rpcUrls: [node.url],
      databaseUrl: url,
      signers: SIGNERS,
      config,
    })
    undo.push(() => engine.stop())

    const acknowledged = new Set<number>()
    let next = 0
    const sending = runConcurrently(Array.from({ length: count }), AT_ONCE, async () => {
      for (;;) {
        const index = next++
        try {
          await sendOne(engine, index)
          acknowledged.add(index)
          return
        } catch {
          await sleep(50)
        }
      }
    })
    await expect.poll(() => acknowledged.size).toBeGreaterThanOrEqual(Math.floor(count / 3))
    const watch = watchDatabase(pool)
    const findProblem = async () => (await watch.check(0))?.detail ?? null
    await expect.poll(() => findProblem()).toBeNull()
    await primary.kill()
    // Until the standby is promoted nothing is acknowledged, and the service says why.
    await expect.poll(() => findProblem()).toMatch(/takes writes|no answer|no connection/)
    await ask(urlOf(standby.port), 'select pg_promote()')
    await sending
    await expect.poll(() => findProblem()).toBeNull()

    const booked = async () =>
      (await pool.any(sql.type(booking)`select reference, status from booking`)).slice()
    await expect.poll(async () => (await booked()).length).toBeGreaterThanOrEqual(count)
    const unfinished = sql.type(z.object({ count: z.bigint() }))`
      select count(*) from outbound_tx where settled_at is null`
    await expect.poll(() => pool.oneFirst(unfinished)).toBe(0n)
    const rows = await booked()
    const references = rows.map(({ reference }) => Number(reference))
    expect(new Set(references).size).toBe(references.length)
    expect(rows.filter(({ status }) => status !== 'confirmed')).toEqual([])
    for (const index of acknowledged) expect(references).toContain(index)
    const mined = await readCalls((method, ...params) => node.ask(method, ...params))
    expect(mined.toSorted((a, b) => a - b)).toEqual(references.toSorted((a, b) => a - b))
  } finally {
    for (const one of undo.toReversed()) await one()
  }
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Reads the calls on the chain, without transfers of nothing. */
async function readCalls(
  askNode: (method: string, ...params: unknown[]) => Promise<unknown>,
): Promise<number[]> {
  const head = Number(await askNode('eth_blockNumber'))
  const senders = new Set(Array.from({ length: SIGNERS }, (_, index) => signerAddress(index).toLowerCase()))
  const calls: number[] = []
  for (let number = 1; number <= head; number += 1) {
    const { transactions } = (await askNode('eth_getBlockByNumber', toHex(number), true)) as {
      transactions: { from: Address; input: `0x${string}` }[]
    }
    for (const { from, input } of transactions)
      if (senders.has(from.toLowerCase()) && input.length === pad('0x', { size: 32 }).length)
        calls.push(Number(input))
  }
  return calls
}
