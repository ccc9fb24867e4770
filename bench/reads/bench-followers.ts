import { setTimeout as sleep } from 'node:timers/promises'
import { countRpc } from '../../test/harness/count-rpc.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { openDoorWorld } from '../relayer/open-door-world.ts'
import type { RelayNote } from '../relayer/relay-world.ts'
import { openHttpClient } from '../service/open-http-client.ts'
import { readMetrics } from '../service/read-metrics.ts'
import type { Settings } from '../settings.ts'
import { followMany } from './follow-many.ts'

const FOLLOWERS = 992
const WARM_UP = 6
/** Relays of each kind in a round. */
const RELAYS = 5
/** For what a relay leaves to do, and for garbage to be collected. */
const SETTLE_MS = 2_000

/** What followers of withdrawals cost: a thousand that wait, and one relay that a thousand follow. */
export async function benchFollowers(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service for followers')
  const world = await openDoorWorld(async (rpcUrl) => {
    const counter = await countRpc(rpcUrl)
    return { ...counter, stop: counter.close }
  })
  const client = openHttpClient(world.url, { keepAlive: false })
  const { readCpu } = world
  const samples = new Map<string, Sample[]>()
  const add = (name: string, sample: Sample) => samples.set(name, [...(samples.get(name) ?? []), sample])
  const notes = [...world.notes]
  const relay = async (note: RelayNote | undefined) => {
    const body = JSON.stringify(await note?.makeBody())
    const { body: answer } = await client.post('/relayer/request', body)
    if (!(JSON.parse(answer) as { success?: boolean }).success) throw new Error(`a relay failed: ${answer}`)
  }
  const grown: number[] = []
  try {
    for (let count = 0; count < WARM_UP; count += 1) await relay(notes.shift())
    // GraphQL is loaded with its first request.
    const first = await followMany(world.url, 1, () => '1')
    await first.leave()
    for (let round = 0; round < settings.rounds; round += 1) {
      settings.tell(`followers, round ${round + 1} of ${settings.rounds}`)
      await sleep(SETTLE_MS)
      const before = await readMemory(world.url)
      const idle = await followMany(world.url, FOLLOWERS, (place) => String(1_000_000 + place))
      await sleep(SETTLE_MS)
      grown.push((await readMemory(world.url)) - before)
      add('reads.idleFollowers', {
        operations: 10,
        cpuMs: (await takeSample(readCpu, 10, () => sleep(10_000))).cpuMs,
        wallMs: 1_000,
      })
      await idle.leave()
      for (let count = 0; count < RELAYS; count += 1) {
        add('reads.relayAlone', await takeSample(readCpu, 1, () => relay(notes.shift())))
        const note = notes.shift()
        const all = await followMany(world.url, FOLLOWERS, () => note?.nullifierHash ?? '')
        await sleep(SETTLE_MS)
        add('reads.relayFollowed', await takeSample(readCpu, 1, () => relay(note)))
        await sleep(SETTLE_MS)
        if (all.told() < FOLLOWERS) throw new Error(`${all.told()} events came for ${FOLLOWERS} followers`)
        await all.leave()
      }
    }
  } finally {
    client.close()
    await world.stop()
  }
  const most = Math.max(...grown).toFixed(0)
  const notesOf: Record<string, string> = {
    'reads.idleFollowers': `a second of ${FOLLOWERS} followers; they take ${most} MB of memory; peer: none`,
    'reads.relayAlone': 'until the request is answered',
    'reads.relayFollowed': `the same while ${FOLLOWERS} follow its note; peer: itself without followers`,
  }
  return [...samples].map(([name, taken]) => ({
    ...summarize(
      { name, baseline: name === 'reads.relayFollowed' ? 'reads.relayAlone' : null, compared: 'wall' },
      taken,
    ),
    note: notesOf[name] ?? '',
  }))
}

/** Megabytes that the process has in memory. */
async function readMemory(url: string): Promise<number> {
  const metrics = await readMetrics(url)
  if (!metrics) throw new Error('the service has no metrics')
  return metrics.memoryMb
}
