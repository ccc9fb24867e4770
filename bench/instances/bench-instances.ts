import type { UnratedRow } from '../measure/row.ts'
import { summarize } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import { AT_ONCE, measureRelays, measureSends, openCpuReader, type Outcome } from './measure-load.ts'
import { openInstances, type InstancesWorld } from './open-instances.ts'

const COUNTS = [1, 2, 4] as const
/** As of a node in another part of the world. */
const DELAY_MS = 150
/**
 * Whether instances add up where nodes are far away: each instance has the same load, and all share one chain, one PostgreSQL,
 * one Redis and the cores of this machine. A node's every answer comes 150 ms late.
 */
export async function benchInstances(settings: Settings): Promise<UnratedRow[]> {
  const outcomes = new Map<string, Outcome[]>()
  const add = (name: string, outcome: Outcome) => outcomes.set(name, [...(outcomes.get(name) ?? []), outcome])
  for (let round = 0; round < settings.rounds; round += 1)
    for (const count of COUNTS) {
      settings.tell(`round ${round + 1} of ${settings.rounds}: ${count} of them`)
      add(`instances.relaysOf${count}`, await measureIn(count, true, measureRelays))
      add(`instances.sendsOf${count}`, await measureIn(count, false, measureSends))
    }
  return [...outcomes].map(([name, rounds]) => describe(name, rounds))
}

/** Measures in a world of its own. */
async function measureIn(
  count: number,
  hasVectors: boolean,
  measure: (world: InstancesWorld, readCpu: () => Promise<number>) => Promise<Outcome>,
): Promise<Outcome> {
  const world = await openInstances(count, { delayMs: DELAY_MS, hasVectors })
  try {
    return await measure(world, await openCpuReader(world))
  } finally {
    await world.stop()
  }
}

function describe(name: string, rounds: readonly Outcome[]): UnratedRow {
  const row = summarize(
    { name, baseline: name.endsWith('1') ? null : name.replace(/\d$/, '1'), compared: 'wall' },
    rounds.map(({ sample }) => sample),
  )
  const good = rounds.reduce((sum, one) => sum + one.good, 0)
  const rate = (1_000 / row.wallMs.median).toFixed(1)
  const note = `${good} of ${row.operations} came to a good end, ${rate} a second; ${AT_ONCE} at once at each instance, every answer of the node ${DELAY_MS} ms late`
  return { ...row, note }
}
