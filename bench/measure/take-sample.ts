import type { UnratedRow } from './row.ts'
import { spread } from './statistics.ts'

/** CPU time so far in milliseconds; null where it is unknown. */
export type ReadCpu = () => number | null | Promise<number | null>

/** One round of one row: milliseconds per operation. */
export interface Sample {
  operations: number
  cpuMs: number | null
  wallMs: number
}

/** Returns the CPU time of this process with all its threads. */
export function readOwnCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Runs a number of operations and divides their cost by that number. */
export async function takeSample(readCpu: ReadCpu, operations: number, run: () => unknown): Promise<Sample> {
  const cpuBefore = await readCpu()
  const started = performance.now()
  await run()
  const wallMs = (performance.now() - started) / operations
  const cpuAfter = await readCpu()
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / operations
  return { operations, cpuMs, wallMs }
}

export function summarize(
  { name, baseline, compared }: Pick<UnratedRow, 'name' | 'baseline' | 'compared'>,
  samples: readonly Sample[],
): UnratedRow {
  const cpu = samples.flatMap(({ cpuMs }) => cpuMs ?? [])
  return {
    name,
    operations: samples.reduce((sum, { operations }) => sum + operations, 0),
    rounds: samples.length,
    cpuMs: cpu.length === 0 ? null : spread(cpu),
    wallMs: spread(samples.map(({ wallMs }) => wallMs)),
    baseline,
    compared,
  }
}
