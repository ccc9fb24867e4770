import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { spoilBody } from '../../bench/relayer/spoil-body.ts'
import { median } from '../../bench/measure/statistics.ts'
import { readMetrics } from '../../bench/service/read-metrics.ts'
import { readDescription } from '../devnet/devnet-description.ts'
import { post, relayBody, untilFinal, type Answer, type RelayBody } from '../harness/relay-requests.ts'
import { resumeVectorDeposits } from '../harness/resume-service-chains.ts'
import { createServiceProcess, VECTOR_DEVNET } from '../harness/service-process.ts'
import { EXIT, FILL_HEAP, reachThreadsAt, type ReachedThreads } from '../proving/reach-threads.ts'
import { loadRelayVectors, type RelayVector } from '../vectors/load-relay-vectors.ts'
import { expectLedgerOfChain } from './expect-ledger-of-chain.ts'

/** All of the process, its threads included, in MiB; without a debugger, and without the heaps that are filled on purpose. */
const MOST_MB = 600
/**
 * Allowed growth of the process between its second minute and its last, in MiB. Heaps breathe by some 20. A leak of one
 * request body (4 KB) per request would exceed it within a minute or two.
 */
const GROWTH_MB = 32

/** A request without an answer for so long counts as lost. */
const PATIENCE_MS = 120_000

interface Soak {
  url: string
  signal: AbortSignal
  counts: Record<string, number>
}

/** Runs a task again and again until the soak ends, and counts how often. */
async function keepOn({ signal, counts }: Soak, name: string, task: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await task()
    counts[name] = (counts[name] ?? 0) + 1
  }
}

/** Asks as clients do: one that is asked to come back in a moment comes back. No other answer but 200 is right. */
async function ask({ url, counts }: Soak, path: string, request: unknown): Promise<Answer['body']> {
  for (;;) {
    const lost = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
      throw new Error(`no answer from ${path} within ${PATIENCE_MS} ms`)
    })
    const { status, body } = await Promise.race([post(url, path, request), lost])
    if (status === 200) return body
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'SERVER_BUSY' } })
    counts['asked to come back'] = (counts['asked to come back'] ?? 0) + 1
    await sleep(200)
  }
}

async function quote(soak: Soak, { chainId, asset, recipient, amount }: RelayVector): Promise<void> {
  const terms = { chainId, asset, recipient, amount: String(amount), extraGas: false }
  expect(await ask(soak, '/relayer/quote', terms)).toHaveProperty('feeCommitment')
}

/** By the debugger, which knows no way into a thread of the product's own. */
async function reachThreads(output: string, stops: (() => void)[]): Promise<ReachedThreads> {
  const threads = await reachThreadsAt(/Debugger listening on (ws:\S+)/.exec(output)?.[1] ?? '')
  // The process would wait for us before it ends.
  stops.push(threads.close)
  return threads
}

const pick = <Item>(list: readonly Item[]) => list[Math.floor(Math.random() * list.length)]

/** Ends a random thread of the service again and again: half of the times by itself, else for want of memory. */
async function endThreads(
  { signal, counts }: Soak,
  threads: ReachedThreads,
  longestPauseMs: number,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(randomInt(500, longestPauseMs), undefined, { signal }).catch(() => undefined)
    const thread = pick(threads.list())
    if (!thread || signal.aborted) continue
    const [how, expression] = Math.random() < 0.5 ? ['exits', EXIT] : ['full heaps', FILL_HEAP]
    const before = { ...counts }
    threads.evaluate(thread, expression)
    counts[how] = (counts[how] ?? 0) + 1
    // On a busy machine a thread needs longer to start than the pause: ended again and again, none would ever serve.
    const isServed = () => ['quotes', 'bad proofs'].every((kind) => (counts[kind] ?? 0) > (before[kind] ?? 0))
    while (!signal.aborted && !isServed()) await sleep(50)
  }
}

export interface SoakOptions {
  /** Whether threads of the service are ended at random meanwhile. */
  endsThreads: boolean
  /** Gets the count of each act. The load goes on until it returns true, on a busy machine beyond the time. */
  isEnough?: (counts: Readonly<Record<string, number>>) => boolean
}

/**
 * Loads a service process for so many seconds, all at once: quotes, withdrawals spread over the time, the same ones
 * again, and bad proofs. On request its threads are ended at random. No request may be lost, every answer must be
 * right, and the log free of errors. The books must be those of the chain. Memory must be flat where the run is long
 * enough, and within bounds unless threads are ended.
 */
export async function soakStory(
  seconds: number,
  notes: number,
  { endsThreads, isEnough = () => true }: SoakOptions,
): Promise<Record<string, number>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-test-'))
  const service = await createServiceProcess({
    DATA_DIR: dataDir,
    ...VECTOR_DEVNET,
    ...(endsThreads && { NODE_OPTIONS: '--inspect=127.0.0.1:0' }),
  })
  const stops: (() => void)[] = []
  try {
    await resumeVectorDeposits(dataDir)
    await service.start()
    const [chain] = (await readDescription(dataDir)).chains
    if (!chain) throw new Error('devnet.json names no chain')
    const vectors = loadRelayVectors()
    const chosen = vectors.relays.slice(0, notes)
    const unspent = vectors.relays.at(-1)
    if (!unspent || chosen.includes(unspent)) throw new Error('one vector must be left for the bad proofs')

    const ending = new AbortController()
    const soak: Soak = { url: service.url, signal: ending.signal, counts: {} }
    const done: { body: RelayBody; requestId: string }[] = []
    const memory: number[] = []
    const relaying = (async () => {
      for (const vector of chosen) {
        const body = await relayBody(vector)
        const answer = await ask(soak, '/relayer/request', body)
        expect(answer).toMatchObject({ success: true, requestId: expect.any(String) })
        done.push({ body, requestId: answer['requestId'] as string })
        await sleep((seconds * 1_000) / notes)
      }
      while (!isEnough(soak.counts)) await sleep(50)
    })().finally(() => ending.abort())
    await Promise.all([
      relaying,
      // Every few seconds, and more than once in a short run.
      endsThreads &&
        endThreads(soak, await reachThreads(service.output(), stops), Math.min(4_000, seconds * 300)),
      ...[1, 2].map(() => keepOn(soak, 'quotes', () => quote(soak, pick(vectors.relays) as RelayVector))),
      keepOn(soak, 'duplicates', async () => {
        const known = pick(done)
        if (!known) return sleep(50)
        const again = await ask(soak, '/relayer/request', known.body)
        expect(again).toMatchObject({ success: true, requestId: known.requestId })
        await sleep(20)
      }),
      keepOn(soak, 'bad proofs', async () => {
        const refused = await ask(soak, '/relayer/request', spoilBody(await relayBody(unspent)))
        expect(refused).toMatchObject({ success: false, error: expect.stringContaining('INVALID_PROOF') })
        await sleep(20)
      }),
      keepOn(soak, 'looks at the memory', async () => {
        memory.push((await readMetrics(service.url))?.memoryMb ?? Number.NaN)
        await sleep(500)
      }),
    ])

    for (const { requestId } of done)
      expect(await untilFinal(service.url, requestId)).toMatchObject({ status: 'confirmed' })
    await expectLedgerOfChain(service.url, chain.rpcUrl, chosen)
    const errors = /"level":"(?:error|fatal)"|unhandled/i
    const isOfThread = /ERR_WORKER_OUT_OF_MEMORY|thread/ // the log may well tell that they end
    const lines = service.output().split('\n')
    expect(lines.filter((line) => errors.test(line) && !isOfThread.test(line))).toEqual([])
    const minute = Math.floor((memory.length * 60) / seconds)
    const isLong = seconds >= 180
    // Among deliberately filled heaps the least one shows the lasting part.
    const typical = endsThreads ? (values: number[]) => Math.min(...values) : median
    const inMinute = (at: number) => typical(memory.slice(at * minute, (at + 1) * minute))
    const minutes = Array.from({ length: Math.floor(seconds / 60) }, (_, at) => Math.round(inMinute(at)))
    const before = isLong ? inMinute(1) : typical(memory)
    const after = typical(isLong ? memory.slice(-minute) : memory)
    const figures = {
      ...soak.counts,
      'MiB before': before,
      'MiB after': after,
      'most MiB': Math.max(...memory),
    }
    if (isLong) process.stdout.write(`MiB by the minute: ${minutes.join(' ')}\n`)
    if (isLong && !endsThreads) expect(after, JSON.stringify(figures)).toBeLessThan(MOST_MB)
    expect(after, JSON.stringify(figures)).toBeLessThan(before + GROWTH_MB)
    return figures
  } catch (error) {
    process.stderr.write(`the service said at last: ${service.output().slice(-4_000)}\n`)
    throw error
  } finally {
    for (const stop of stops) stop()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
