import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { pad, parseEther, toHex, type Address, type Hash, type Hex } from 'viem'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import type { BroadcastEngine, OutboundCall } from '../../../../relayer/chain/broadcast/broadcast-engine.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { CHAIN_ID, signerAddress, startEngine, type EngineSettings } from './start-engine.ts'
import { startNode, type Node } from './start-node.ts'

const bookingRow = z.object({
  reference: z.string(),
  status: z.string(),
  hash: z.string().nullable(),
  fee: z.bigint().nullable(),
  reason: z.string().nullable(),
})
export type Booking = z.output<typeof bookingRow>

/** A chain, a database and the engines of one test. */
export interface World {
  node: Node
  pool: DatabasePool
  databaseUrl: string
  startEngine(settings?: Partial<EngineSettings>): Promise<BroadcastEngine>
  /**
   * Queues calls of the kind `test` one after another in one database transaction; their references count from
   * `first`.
   */
  enqueue(
    engine: BroadcastEngine,
    count: number,
    call?: Partial<OutboundCall>,
    first?: number,
  ): Promise<string[]>
  bookings(): Promise<readonly Booking[]>
  /** Waits until this many settlements are booked. */
  settled(count: number): Promise<readonly Booking[]>
  nonceOf(index: number): Promise<number>
  /** Hashes of the transactions of a signer on the chain, in the order of nonces. */
  minedFrom(index: number): Promise<{ hash: Hash; nonce: number; to: Address; input: Hex }[]>
  stop(): Promise<void>
}

export async function startBroadcastWorld({
  signers,
  args = [],
}: {
  signers: number
  args?: string[]
}): Promise<World> {
  const [node, database] = await Promise.all([startNode(...args), openTestDatabase()])
  const { pool } = database
  const engines: BroadcastEngine[] = []
  await pool.query(sql.typeAlias('void')`
    create table booking (reference text, status text, hash text, fee numeric(78, 0), reason text)`)
  for (let index = 0; index < signers; index += 1)
    await node.ask('anvil_setBalance', signerAddress(index), toHex(parseEther('10')))

  const bookings = () =>
    pool.any(
      sql.type(bookingRow)`select reference, status, hash, fee, reason from booking order by reference`,
    )

  return {
    node,
    pool,
    databaseUrl: database.url,
    async startEngine(settings = {}) {
      const defaults = { rpcUrls: [node.url], databaseUrl: database.url, signers }
      const engine = await startEngine(pool, { ...defaults, ...settings })
      engines.push(engine)
      return engine
    },
    async enqueue(engine, count, call = {}, first = 0) {
      const ids = await pool.transaction(async (transaction) => {
        const queued: string[] = []
        for (let index = first; index < first + count; index += 1)
          queued.push(
            await engine.enqueue(transaction, {
              chainId: CHAIN_ID,
              kind: 'test',
              reference: String(index),
              to: '0x2000000000000000000000000000000000000002',
              data: pad(toHex(index), { size: 32 }),
              value: 0n,
              gasLimit: 50_000n,
              ...call,
            }),
          )
        return queued
      })
      engine.wake(CHAIN_ID)
      return ids
    },
    bookings,
    settled: (count) => eventually(bookings, (rows) => rows.length >= count),
    nonceOf: async (index) =>
      Number(await node.ask('eth_getTransactionCount', signerAddress(index), 'latest')),
    async minedFrom(index) {
      const head = Number(await node.ask('eth_blockNumber'))
      const numbers = Array.from({ length: head }, (_, number) => toHex(number + 1))
      const blocks = await Promise.all(
        numbers.map((number) =>
          node.ask<{ transactions: { hash: Hash; nonce: Hex; from: string; to: Address; input: Hex }[] }>(
            'eth_getBlockByNumber',
            number,
            true,
          ),
        ),
      )
      return blocks
        .flatMap(({ transactions }) => transactions)
        .filter(({ from }) => from.toLowerCase() === signerAddress(index).toLowerCase())
        .map(({ hash, nonce, to, input }) => ({ hash, nonce: Number(nonce), to, input }))
        .toSorted((a, b) => a.nonce - b.nonce)
    },
    async stop() {
      await Promise.all(engines.map((engine) => engine.stop()))
      await node.stop()
      await database.drop()
    },
  }
}

/** Asks until the answer is the expected one. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    await sleep(100)
  }
}
