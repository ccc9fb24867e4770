import type { RelayFigures, UnratedRow } from '../measure/row.ts'
import { median, percentiles } from '../measure/statistics.ts'
import { summarize, type Sample } from '../measure/take-sample.ts'
import type { ProcessMetrics } from '../service/read-metrics.ts'

type RelayCounts = Omit<RelayFigures, 'perSecond'>

/** Collects the rounds of the relayer's rows. */
export interface RelayerTally {
  add(name: string, sample: Sample, latencies: readonly number[]): void
  addRelays(name: string, counts: RelayCounts): void
  addService(metrics: ProcessMetrics | null): void
  addErrors(errors: readonly string[]): void
  rows(): UnratedRow[]
  /** Errors of refused withdrawals, and their numbers. */
  errors(): ReadonlyMap<string, number>
  /** Sorted latencies in milliseconds of each row, for the plot. */
  latencies(): Record<string, number[]>
}

const BASELINES: Readonly<Record<string, string>> = {
  'relayer.quote': 'relayer.details',
  'relayer.request': 'relayer.plain',
  'relayer.plainEager': 'relayer.plain',
  'relayer.full': 'relayer.plain',
  'relayer.duplicate': 'relayer.request',
  'relayer.evm': 'relayer.full',
  'relayer.flooded': 'relayer.calm',
  'relayer.flood': 'relayer.badproof',
  'relayer.badproof': 'relayer.request',
  'relayer.badproofLone': 'relayer.request',
}
/** Withdrawals wait more than they work: the figure is their rate. */
const BY_WALL = new Set([
  'relayer.plain',
  'relayer.plainEager',
  'relayer.request',
  'relayer.full',
  'relayer.calm',
  'relayer.flooded',
])
/** Facts that a reader needs besides the figures of a row. */
const NOTES: Readonly<Record<string, string>> = {
  'relayer.plain':
    'snarkjs verifies, then simulateContract, writeContract and waiting for the receipt with the defaults of viem, which polls every 4 s: its wall time swings by that much',
  'relayer.plainEager': 'the same, but looks for the receipt every 50 ms',
  'relayer.evm': 'the node can only run calls, so the EVM of a worker simulates',
  'relayer.flood': 'one client sends bad proofs without end; its CPU includes that of relayer.flooded',
  'relayer.flooded':
    'good requests of another client during relayer.flood, one after another; within twice of relayer.calm the ratio is above 0.5',
}

export function createRelayerTally(): RelayerTally {
  const entries = new Map<string, { samples: Sample[]; latencies: number[] }>()
  const relays = new Map<string, RelayCounts>()
  const services: ProcessMetrics[] = []
  const errors = new Map<string, number>()

  return {
    add(name, sample, latencies) {
      const entry = entries.get(name) ?? { samples: [], latencies: [] }
      entries.set(name, entry)
      entry.samples.push(sample)
      entry.latencies.push(...latencies)
    },
    addRelays(name, counts) {
      const sum = relays.get(name) ?? { notes: 0, accepted: 0, confirmed: 0, reverted: 0 }
      relays.set(name, {
        notes: sum.notes + counts.notes,
        accepted: sum.accepted + counts.accepted,
        confirmed: sum.confirmed + counts.confirmed,
        reverted: sum.reverted + counts.reverted,
      })
    },
    addService(metrics) {
      if (metrics) services.push(metrics)
    },
    addErrors(found) {
      for (const error of found) errors.set(error, (errors.get(error) ?? 0) + 1)
    },
    errors: () => errors,
    latencies: () =>
      Object.fromEntries(
        [...entries].map(([name, entry]) => [name, entry.latencies.toSorted((a, b) => a - b)]),
      ),
    rows: () =>
      [...entries].map(([name, { samples, latencies }]): UnratedRow => {
        const baseline = BASELINES[name] ?? null
        const row = summarize({ name, baseline, compared: BY_WALL.has(name) ? 'wall' : 'cpu' }, samples)
        const counts = relays.get(name)
        const note = NOTES[name]
        const latencyMs = percentiles(latencies)
        if (!counts) return { ...row, latencyMs, ...(note && { note }) }
        const perSecond = median(samples.map(({ wallMs }) => 1_000 / wallMs))
        const full = { ...row, latencyMs, ...(note && { note }), relays: { ...counts, perSecond } }
        if (name !== 'relayer.full' || services.length === 0) return full
        const service = {
          memoryMb: Math.max(...services.map(({ memoryMb }) => memoryMb)),
          eventLoopDelayP99Ms: Math.max(...services.map(({ eventLoopDelayP99Ms }) => eventLoopDelayP99Ms)),
        }
        return { ...full, service }
      }),
  }
}
