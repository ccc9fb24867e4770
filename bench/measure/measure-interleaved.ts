import type { Settings } from '../settings.ts'
import type { UnratedRow } from './row.ts'
import { readOwnCpu, summarize, takeSample, type ReadCpu, type Sample } from './take-sample.ts'

/** Something to measure. */
export interface Case {
  name: string
  baseline: string | null
  compared?: UnratedRow['compared']
  /** Operations of one run; 1 unless given. */
  operations?: number
  run(): unknown
}

/**
 * Warms every case up, then measures all of them in each round, beginning with another one each time. Disturbances of the
 * machine thus affect all. A case runs as often per round as fills `roundMs`, at least once.
 */
export async function measureInterleaved(
  cases: readonly Case[],
  { rounds, roundMs, tell }: Settings,
  readCpu: ReadCpu = readOwnCpu,
): Promise<UnratedRow[]> {
  tell(`warm-up of ${cases.length} cases`)
  const prepared: { item: Case; runs: number; samples: Sample[] }[] = []
  for (const item of cases) prepared.push({ item, runs: await countRuns(item, roundMs), samples: [] })
  for (let round = 0; round < rounds; round += 1) {
    tell(`round ${round + 1} of ${rounds}`)
    for (const offset of prepared.keys()) {
      const place = prepared[(round + offset) % prepared.length]
      if (!place) continue
      const { item, runs, samples } = place
      const operations = runs * (item.operations ?? 1)
      samples.push(await takeSample(readCpu, operations, () => repeat(item, runs)))
    }
  }
  return prepared.map(({ item, samples }) => {
    const { name, baseline, compared = 'cpu' } = item
    return summarize({ name, baseline, compared }, samples)
  })
}

async function repeat({ run }: Case, runs: number): Promise<void> {
  for (let count = 0; count < runs; count += 1) {
    // A synchronous case must not pay for a turn of the event loop.
    const running = run()
    if (running instanceof Promise) await running
  }
}

/** Runs a case for half a round's time, so that it is compiled, and returns how often it fits into one. */
async function countRuns(item: Case, roundMs: number): Promise<number> {
  const halves: number[] = []
  for (let half = 0; half < 2; half += 1) {
    let runs = 0
    const started = performance.now()
    while (runs === 0 || performance.now() - started < roundMs / 4) {
      await repeat(item, 1)
      runs += 1
    }
    halves.push((performance.now() - started) / runs)
  }
  return Math.max(1, Math.round(roundMs / (halves[1] ?? roundMs)))
}
