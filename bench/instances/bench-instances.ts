import type { UnratedRow } from '../measure/row.ts'
import { summarize } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import { measureRelays, measureSends, openCpuReader, type Load, type Outcome } from './measure-load.ts'
import { openInstances, type InstancesWorld } from './open-instances.ts'

/** The delay of a node in another part of the world. */
const DELAY_MS = 150

/** A number of instances, with the pending requests at each, and the delay of the node. */
interface Case extends Load {
  name: string
  baseline: string | null
  count: number
  delayMs: number
  measure: (world: InstancesWorld, load: Load, readCpu: () => Promise<number>) => Promise<Outcome>
}

const FAR: readonly Case[] = [1, 2, 4].flatMap((count) =>
  (['relaysOf', 'sendsOf'] as const).map((kind) => ({
    name: `instances.${kind}${count}`,
    baseline: count > 1 ? `instances.${kind}1` : null,
    count,
    delayMs: DELAY_MS,
    atOnce: 2,
    each: 10,
    warmUp: 5,
    measure: kind === 'relaysOf' ? measureRelays : measureSends,
  })),
)
/** The same total load for all cases, each equally warmed up. */
const NEAR: readonly Case[] = [1, 2].map((count) => ({
  name: `instances.nearRelaysOf${count}`,
  baseline: count > 1 ? 'instances.nearRelaysOf1' : null,
  count,
  delayMs: 0,
  atOnce: 8 / count,
  each: 40 / count,
  warmUp: 10,
  measure: measureRelays,
}))

/**
 * Shows whether instances add up where nodes are far away. Each instance has the same load, and all share one chain, one
 * PostgreSQL, one Redis and the cores of this machine. Also the cost of sharing where the node is near and the cores are the
 * limit: one load for one instance, and for two.
 */
export async function benchInstances(settings: Settings): Promise<UnratedRow[]> {
  const rows: UnratedRow[] = []
  for (const one of [...FAR, ...NEAR]) {
    const rounds: Outcome[] = []
    for (let round = 0; round < settings.rounds; round += 1) {
      settings.tell(`${one.name}, round ${round + 1} of ${settings.rounds}`)
      rounds.push(await measureCase(one))
    }
    rows.push(describe(one, rounds))
  }
  return rows
}

/** Measures a case in a fresh world. */
async function measureCase({ count, delayMs, measure, ...load }: Case): Promise<Outcome> {
  const world = await openInstances(count, { delayMs, hasVectors: measure === measureRelays })
  try {
    return await measure(world, load, await openCpuReader(world))
  } finally {
    await world.stop()
  }
}

function describe({ name, baseline, atOnce, delayMs }: Case, rounds: readonly Outcome[]): UnratedRow {
  const row = summarize(
    { name, baseline, compared: 'wall' },
    rounds.map(({ sample }) => sample),
  )
  const good = rounds.reduce((sum, one) => sum + one.good, 0)
  const busy = rounds.reduce((sum, one) => sum + one.busy, 0) / rounds.length
  const rate = (1_000 / row.wallMs.median).toFixed(1)
  const note = [
    `${good} of ${row.operations} came to a good end, ${rate} a second`,
    `${atOnce} at once at each instance`,
    delayMs > 0 ? `every answer of the node ${delayMs} ms late` : 'a near node',
    `all cores of the machine ${Math.round(100 * busy)} % busy, node and client included`,
  ]
  const trips = rounds.flatMap((one) => one.trips)
  const calls = trips.flat().length / row.operations
  return {
    ...row,
    ...(trips.length > 0 && { rpc: { calls, trips: trips.length / row.operations } }),
    note: note.join('; '),
  }
}
