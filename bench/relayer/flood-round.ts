import { setTimeout as sleep } from 'node:timers/promises'
import { takeSample, type ReadCpu } from '../measure/take-sample.ts'
import type { RelayerTally } from './relayer-tally.ts'

/** Milliseconds for the flood to reach its full height before the others are timed. */
const RISE_MS = 500

interface Flood {
  /** Requests a withdrawal with a bad proof, as a client of its own. */
  askBadly(): Promise<unknown>
  /** Concurrent bad requests. */
  concurrency: number
  /** Runs the others' requests. */
  meanwhile(): Promise<void>
  cpu: ReadCpu
  tally: RelayerTally
}

/** Floods the relayer with bad proofs during `meanwhile`, and records the cost of one as `relayer.flood`. */
export async function floodMeanwhile({ askBadly, concurrency, meanwhile, cpu, tally }: Flood): Promise<void> {
  const latencies: number[] = []
  const ending = new AbortController()
  const keepOn = async () => {
    while (!ending.signal.aborted) {
      const started = performance.now()
      await askBadly()
      latencies.push(performance.now() - started)
    }
  }
  const sample = await takeSample(cpu, 1, async () => {
    const flooding = Promise.all(Array.from({ length: concurrency }, keepOn))
    flooding.catch(() => ending.abort())
    await sleep(RISE_MS)
    await meanwhile().finally(() => ending.abort())
    await flooding
  })
  const { length } = latencies
  const cpuMs = sample.cpuMs === null ? null : sample.cpuMs / length
  tally.add('relayer.flood', { operations: length, cpuMs, wallMs: sample.wallMs / length }, latencies)
}
