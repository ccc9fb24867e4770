import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { spoilBody } from '../../bench/relayer/spoil-body.ts'
import { median } from '../../bench/measure/statistics.ts'
import { readMetrics } from '../../bench/service/read-metrics.ts'
import { readDescription } from '../../relayer/devnet/devnet-description.ts'
import { post, relayBody, untilFinal, type RelayBody } from '../harness/relay-requests.ts'
import { createServiceProcess, VECTOR_DEVNET } from '../harness/service-process.ts'
import { loadRelayVectors, replayVectorDeposits, type RelayVector } from '../vectors/load-relay-vectors.ts'
import { expectLedgerOfChain } from './expect-ledger-of-chain.ts'

/**
 * What the process may have grown by between the second and the last quarter of the run, in MiB. Compiled code and the
 * heaps of threads still settle by some 30; a leak of one request body (4 KB) per request would exceed it by far
 * in the 10,000 requests and more that each quarter of the long run has.
 */
const GROWTH_MB = 48

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

async function quote({ url }: Soak, { chainId, asset, recipient, amount }: RelayVector): Promise<void> {
  const terms = { chainId, asset, recipient, amount: String(amount), extraGas: false }
  const { status, body } = await post(url, '/relayer/quote', terms)
  expect(status, JSON.stringify(body)).toBe(200)
}

/**
 * Loads a service process for so many seconds with quotes, withdrawals spread over the time, the same ones again, and
 * bad proofs, all at once. Every answer must be right, the log free of errors, the books those of the chain, and, where
 * the run is long enough to tell, its memory flat.
 */
export async function soakService(seconds: number, notes: number): Promise<Record<string, number>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'soak-test-'))
  const service = await createServiceProcess({ DATA_DIR: dataDir, ...VECTOR_DEVNET })
  try {
    await service.start()
    const [chain] = (await readDescription(dataDir)).chains
    if (!chain) throw new Error('devnet.json names no chain')
    const vectors = loadRelayVectors()
    await replayVectorDeposits(vectors, { ...chain, rpcUrls: [chain.rpcUrl] })
    const chosen = vectors.relays.slice(0, notes)
    const unspent = vectors.relays.at(-1)
    if (!unspent || chosen.includes(unspent)) throw new Error('one vector must be left for the bad proofs')

    const ending = new AbortController()
    const soak: Soak = { url: service.url, signal: ending.signal, counts: {} }
    const done: { body: RelayBody; requestId: string }[] = []
    const memory: number[] = []
    const pick = <Item>(list: readonly Item[]) => list[Math.floor(Math.random() * list.length)]

    const relaying = (async () => {
      for (const vector of chosen) {
        const body = await relayBody(vector)
        const { body: answer } = await post(service.url, '/relayer/request', body)
        expect(answer).toMatchObject({ success: true, requestId: expect.any(String) })
        done.push({ body, requestId: answer['requestId'] as string })
        await sleep((seconds * 1_000) / notes)
      }
    })().finally(() => ending.abort())
    await Promise.all([
      relaying,
      ...[1, 2].map(() => keepOn(soak, 'quotes', () => quote(soak, pick(vectors.relays) as RelayVector))),
      keepOn(soak, 'duplicates', async () => {
        const known = pick(done)
        if (!known) return sleep(50)
        const { body } = await post(service.url, '/relayer/request', known.body)
        expect(body).toMatchObject({ success: true, requestId: known.requestId })
        await sleep(20)
      }),
      keepOn(soak, 'bad proofs', async () => {
        const bad = spoilBody(await relayBody(unspent))
        const { body } = await post(service.url, '/relayer/request', bad)
        expect(body).toMatchObject({ success: false, error: expect.stringContaining('INVALID_PROOF') })
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
    expect(service.output()).not.toMatch(/"level":"(?:error|fatal)"|unhandled/i)
    const quarter = (place: number) =>
      median(memory.slice((place * memory.length) / 4, ((place + 1) * memory.length) / 4))
    const figures = { ...soak.counts, 'MiB before': quarter(1), 'MiB after': quarter(3) }
    if (seconds >= 120) expect(quarter(3), JSON.stringify(figures)).toBeLessThan(quarter(1) + GROWTH_MB)
    return figures
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
