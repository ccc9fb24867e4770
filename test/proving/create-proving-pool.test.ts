import type { Worker } from 'node:worker_threads'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createProvingPool, type ProvingPoolOptions } from '../../proving/create-proving-pool.ts'
import {
  ProvingBusyError,
  ThreadLostError,
  type ProvingPool,
  type VerifyJob,
} from '../../proving/proving-pool.ts'
import { closeSharedThreads } from '../harness/share-threads.ts'
import { EXIT, FILL_HEAP, reachOwnThreads } from './reach-threads.ts'
import { loadProofs, type ProofVector } from './groth16/load-proofs.ts'

const [first, second, third] = loadProofs('withdraw') as [ProofVector, ProofVector, ProofVector]
const commitments = loadProofs('commitment')
const wrong: VerifyJob = { ...first, publicSignals: second.publicSignals }

const message = {
  chainId: 1,
  withdrawalData: '0x',
  asset: `0x${'0'.repeat(40)}`,
  expiration: 1n,
  amount: 1n,
  extraGas: false,
} as const

/** Port 1 of this machine is closed. */
const callOfNoNode = {
  rpcUrls: ['http://127.0.0.1:1'],
  call: { from: message.asset, to: message.asset, data: '0x', value: 0n, gas: 21_000n },
  errorAbi: [],
  timeoutMs: 5_000,
} as const

let pool: ProvingPool | undefined
afterEach(() => pool?.close(0))

async function start(options: Partial<ProvingPoolOptions> = {}): Promise<ProvingPool> {
  pool = await createProvingPool({ threads: 1, commitmentKeys: [], crossCheckOneIn: 0, ...options })
  return pool
}

test('a single request is verified immediately, for both circuits', async () => {
  const pool = await start({ threads: 2 })
  const [commitment] = commitments as [ProofVector]
  expect(await pool.verify(first)).toEqual({ valid: true })
  expect(await pool.verify(commitment)).toEqual({ valid: true })
  expect(await pool.verify(wrong)).toEqual({ valid: false, reason: 'equation' })
  const rescaled = { ...first, proof: { ...first.proof, pi_a: [...first.proof.pi_a.slice(0, 2), '2'] } }
  expect(await pool.verify(rescaled)).toEqual({ valid: false, reason: 'encoding' })
  const { workers, queued, running, tasks, batches } = pool.stats()
  expect({ workers, queued, running }).toEqual({ workers: 3, queued: 0, running: 0 })
  expect(tasks.verify).toMatchObject({ done: 4, failed: 0 })
  expect(tasks.verify.cpuMs).toBeGreaterThan(0)
  expect(batches).toEqual({ count: 4, proofs: 4 })
})

test('requests that arrive while the threads are busy are verified as one batch per circuit', async () => {
  const pool = await start()
  const jobs = [first, second, third, wrong, ...commitments]
  const outcomes = Promise.all(jobs.map((job) => pool.verify(job)))
  expect(pool.stats()).toMatchObject({ queued: 5, running: 1 })
  expect((await outcomes).map(({ valid }) => valid)).toEqual([true, true, true, false, true, true])
  // First one alone, then three of `withdraw`, then two of `commitment`.
  expect(pool.stats().batches).toEqual({ count: 3, proofs: 6 })
})

test('a batch has a maximum size', async () => {
  const pool = await start({ maxBatch: 2 })
  await Promise.all([first, second, third, first, second].map((job) => pool.verify(job)))
  expect(pool.stats().batches).toEqual({ count: 3, proofs: 5 })
})

test("after a failed proof, a client's proofs are verified one by one, and those of others in batches", async () => {
  const pool = await start()
  await pool.verify({ ...wrong, client: 'mallory' })
  const jobs = [first, second, third]
  const outcomes = await Promise.all([
    ...jobs.map((job) => pool.verify({ ...job, client: 'mallory' })),
    ...jobs.map((job) => pool.verify({ ...job, client: 'alice' })),
  ])
  expect(outcomes).toEqual(outcomes.map(() => ({ valid: true })))
  // One for the failure, three of mallory's, one of alice's.
  expect(pool.stats().batches).toEqual({ count: 5, proofs: 7 })
})

test('clients whose proofs failed leave half of the threads to everybody else', async () => {
  const pool = await start({ threads: 2 })
  await pool.verify({ ...wrong, client: 'mallory' })
  const flood = [wrong, wrong, wrong].map((job) => pool.verify({ ...job, client: 'mallory' }))
  expect(pool.stats()).toMatchObject({ queued: 2, running: 1 })
  const good = pool.verify({ ...first, client: 'alice' })
  expect(pool.stats()).toMatchObject({ queued: 2, running: 2 })
  expect(await good).toEqual({ valid: true })
  expect((await Promise.all(flood)).map(({ valid }) => valid)).toEqual([false, false, false])
  expect(pool.stats()).toMatchObject({ queued: 0, running: 0 })
})

test('with crossCheckOneIn 1 snarkjs verifies every proof as well, on a thread that starts with the first', async () => {
  const pool = await start({ crossCheckOneIn: 1 })
  expect(pool.stats().workers).toBe(2)
  expect(await pool.verify(first)).toEqual({ valid: true })
  expect(await pool.verify(wrong)).toEqual({ valid: false, reason: 'equation' })
  const { workers, crossChecks } = pool.stats()
  expect({ workers, crossChecks }).toEqual({
    workers: 3,
    crossChecks: { agreed: 2, disagreed: 0, failed: 0 },
  })
})

test('with verifier "snarkjs" the pool gives the same outcomes, and checks nothing twice', async () => {
  const pool = await start({ verifier: 'snarkjs', crossCheckOneIn: 1 })
  const [commitment] = commitments as [ProofVector]
  const rescaled = { ...first, proof: { ...first.proof, pi_a: [...first.proof.pi_a.slice(0, 2), '2'] } }
  const jobs = [first, wrong, rescaled, commitment]
  expect(await Promise.all(jobs.map((job) => pool.verify(job)))).toEqual([
    { valid: true },
    { valid: false, reason: 'equation' },
    { valid: false, reason: 'encoding' },
    { valid: true },
  ])
  expect(pool.stats().crossChecks).toEqual({ agreed: 0, disagreed: 0, failed: 0 })
})

test('the queue is bounded, and one client cannot fill it', async () => {
  const pool = await start({ maxQueue: 4 })
  const attempt = (client: string) => pool.verify({ ...first, client }).catch((error: unknown) => error)
  const attempts = 'aaaabbc'.split('').map(attempt)
  const results = await Promise.all(attempts)
  // The first a runs; then a has two of the four places, b one of the two that are left, and c the last.
  const busy = results.map((result) => result instanceof ProvingBusyError)
  expect(busy).toEqual([false, false, false, true, false, true, false])
  expect(await pool.verify(first)).toEqual({ valid: true })
})

test('a key of ours signs while every thread is busy', async () => {
  const key = `0x${'11'.repeat(32)}` as const
  const pool = await start({ commitmentKeys: [key] })
  const { address: signer } = privateKeyToAccount(key)
  const order: string[] = []
  const verified = Promise.all([first, second].map((job) => pool.verify(job))).then(() =>
    order.push('proofs'),
  )
  const signature = await pool.signFeeCommitment({ signer, message })
  expect(await pool.findOwnSigner({ message, signature })).toBe(signer)
  order.push('signature')
  await verified
  expect(order).toEqual(['signature', 'proofs'])
  expect(pool.stats().tasks.sign).toMatchObject({ done: 2, failed: 0 })
})

test('close finishes running and waiting tasks and accepts no more', async () => {
  const pool = await start()
  const outcomes = Promise.all([first, second, third, wrong].map((job) => pool.verify(job)))
  const closed = pool.close()
  await expect(pool.verify(first)).rejects.toThrow(ProvingBusyError)
  expect((await outcomes).map(({ valid }) => valid)).toEqual([true, true, true, false])
  await closed
})

test('close without grace ends running and waiting tasks with an error', async () => {
  const pool = await start()
  // More tasks than a thread verifies before the pool closes, however the threads are scheduled.
  const ended = Promise.allSettled(Array.from({ length: 400 }, () => pool.verify(first)))
  await pool.close(0)
  const lost = (await ended).filter((outcome) => outcome.status === 'rejected')
  expect(lost.length).toBeGreaterThan(0)
  for (const { reason } of lost) expect(reason).toBeInstanceOf(ThreadLostError)
})

test('input that cannot be a proof is refused before it reaches a thread', async () => {
  const pool = await start()
  const huge = Array.from({ length: 100_000 }, () => [])
  const jobs = [
    { ...first, publicSignals: huge },
    { ...first, publicSignals: ['9'.repeat(78)] },
    { ...first, proof: null },
    { ...first, proof: { ...first.proof, pi_a: huge } },
    { ...first, proof: { ...first.proof, pi_c: ['1', '2', '9'.repeat(1_000_000)] } },
  ] as unknown as VerifyJob[]
  const outcomes = await Promise.all(jobs.map((job) => pool.verify(job)))
  const reasons = ['signals', 'signals', 'encoding', 'encoding', 'encoding']
  expect(outcomes).toEqual(reasons.map((reason) => ({ valid: false, reason })))
  expect(pool.stats().batches.count).toBe(0)
  const padded = { ...first, proof: { ...first.proof, extra: huge } }
  expect(await pool.verify(padded)).toEqual({ valid: true })
})

describe('when a thread dies', () => {
  /** Threads that this process starts; all of them belong to the pool. */
  const started: Worker[] = []
  const remember = (worker: Worker) => started.push(worker)
  beforeEach(async () => {
    await closeSharedThreads()
    started.length = 0
    process.on('worker', remember)
  })
  afterEach(() => void process.off('worker', remember))

  async function killNewest(): Promise<void> {
    await started.at(-1)?.terminate()
  }

  /** With one thread of each group, the verifying thread is started first. */
  async function startAndGetVerifier() {
    const warnings: string[] = []
    const logger = { warn: (_: object, message: string) => warnings.push(message), error() {} }
    const pool = await start({ logger })
    const [verifier] = started as [Worker]
    expect(started).toHaveLength(2)
    return { pool, verifier, countDeaths: () => warnings.filter((text) => text.includes('died')).length }
  }

  test('it is replaced and its task is tried once more', async () => {
    const { pool, verifier, countDeaths } = await startAndGetVerifier()
    const outcome = pool.verify(first)
    await verifier.terminate()
    expect(await outcome).toEqual({ valid: true })
    expect(countDeaths()).toBe(1)
    expect(started).toHaveLength(3)
    expect(pool.stats().tasks.verify).toMatchObject({ done: 1, failed: 0 })
  })

  test('the proofs of a batch are verified one by one', async () => {
    const { pool, verifier, countDeaths } = await startAndGetVerifier()
    const jobs = [first, second, wrong, third]
    const busy = pool.verify(first)
    const outcomes = Promise.all(jobs.map((job) => pool.verify(job)))
    await busy
    expect(pool.stats()).toMatchObject({ running: 4 })
    await verifier.terminate()
    expect((await outcomes).map(({ valid }) => valid)).toEqual([true, true, false, true])
    expect(countDeaths()).toBe(1)
    expect(pool.stats().tasks.verify).toMatchObject({ done: 5, failed: 0 })
  })

  test('twice during the same task, the task fails and the next one is served', async () => {
    const { pool, verifier } = await startAndGetVerifier()
    const failed = expect(pool.verify(first)).rejects.toThrow(ThreadLostError)
    // The replacement takes the task when it is ready; loading the verifier takes far longer than ending the thread.
    process.once('worker', (worker: Worker) => worker.once('message', () => void worker.terminate()))
    await verifier.terminate()
    await failed
    expect(pool.stats().tasks.verify).toMatchObject({ done: 0, failed: 1 })
    expect(await pool.verify(second)).toEqual({ valid: true })
  })

  test.each([
    ['by ending itself', EXIT],
    ['for want of memory', FILL_HEAP],
  ])('%s, its task and the others are served', async (_, expression) => {
    const { pool } = await startAndGetVerifier()
    const threads = reachOwnThreads()
    try {
      await expect.poll(() => threads.list()).toHaveLength(2)
      const outcomes = Promise.all([first, wrong, second].map((job) => pool.verify(job)))
      const calls = Promise.allSettled([1, 2, 3].map(() => pool.simulate(callOfNoNode)))
      for (const thread of threads.list()) threads.evaluate(thread, expression)
      expect((await outcomes).map(({ valid }) => valid)).toEqual([true, false, true])
      for (const call of await calls) expect(call).toMatchObject({ reason: { code: 'unavailable' } })
      await expect.poll(() => started.length).toBeGreaterThanOrEqual(4)
    } finally {
      threads.close()
    }
  })

  test('before it is ready, another one is started', async () => {
    const { pool, verifier } = await startAndGetVerifier()
    process.once('worker', (worker: Worker) => void worker.terminate())
    const outcome = pool.verify(first)
    await verifier.terminate()
    expect(await outcome).toEqual({ valid: true })
  })

  test('while it is idle, the next task is served as usual', async () => {
    const { pool, verifier } = await startAndGetVerifier()
    await verifier.terminate()
    await killNewest()
    expect(await pool.verify(first)).toEqual({ valid: true })
  })
})
