import { setTimeout as sleep } from 'node:timers/promises'
import { countRpc } from '../../test/harness/count-rpc.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { openDoorWorld } from '../relayer/open-door-world.ts'
import type { RelayNote } from '../relayer/relay-world.ts'
import { openHttpClient } from '../service/open-http-client.ts'
import type { Settings } from '../settings.ts'
import { measureBareCrowd, measureCrowd, openMeasuredEnv, type CrowdMemory } from './measure-crowd.ts'
import { startFollowers } from './start-followers.ts'

const FOLLOWERS = 992
const WARM_UP = 6
/** Relays of each kind in a round. */
const RELAYS = 5
/** For the aftermath of a relay, and for garbage collection. */
const SETTLE_MS = 2_000

/** Cost of followers of withdrawals: a thousand that wait, and one relay that a thousand follow. */
export async function benchFollowers(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service for followers')
  const measured = await openMeasuredEnv()
  const followers = startFollowers()
  const bare = await measureBareCrowd(followers, FOLLOWERS)
  const world = await openDoorWorld(async (rpcUrl) => {
    const counter = await countRpc(rpcUrl)
    return { ...counter, stop: counter.close }
  }, measured)
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
  const crowds: CrowdMemory[] = []
  try {
    for (let count = 0; count < WARM_UP; count += 1) await relay(notes.shift())
    // GraphQL is loaded with its first request.
    await followers.follow(world.url, 1, '1')
    await followers.leave()
    for (let round = 0; round < settings.rounds; round += 1) {
      settings.tell(`followers, round ${round + 1} of ${settings.rounds}`)
      await sleep(SETTLE_MS)
      crowds.push(await measureCrowd(measured, () => followers.follow(world.url, FOLLOWERS, null)))
      add('reads.idleFollowers', {
        operations: 10,
        cpuMs: (await takeSample(readCpu, 10, () => sleep(10_000))).cpuMs,
        wallMs: 1_000,
      })
      await followers.leave()
      for (let count = 0; count < RELAYS; count += 1) {
        add('reads.relayAlone', await takeSample(readCpu, 1, () => relay(notes.shift())))
        const note = notes.shift()
        await followers.follow(world.url, FOLLOWERS, note?.nullifierHash ?? '')
        const before = await followers.told()
        await sleep(SETTLE_MS)
        add('reads.relayFollowed', await takeSample(readCpu, 1, () => relay(note)))
        await sleep(SETTLE_MS)
        const told = (await followers.told()) - before
        if (told < FOLLOWERS) throw new Error(`${told} events came for ${FOLLOWERS} followers`)
        await followers.leave()
      }
    }
  } finally {
    client.close()
    followers.stop()
    await world.stop()
  }
  const most = (of: (crowd: CrowdMemory) => number) => Math.max(...crowds.map(of)).toFixed(0)
  const each = (inUse: number) => ((inUse * 1_024) / FOLLOWERS).toFixed(0)
  const notesOf: Record<string, string> = {
    'reads.idleFollowers':
      `a second of ${FOLLOWERS} followers; memory grows by ${most(({ grown }) => grown)} MB, of which ` +
      `${most(({ inUse }) => inUse)} MB are in use (${each(Math.max(...crowds.map(({ inUse }) => inUse)))} KB each); ` +
      `node:http alone: ${bare.grown.toFixed(0)} MB, ${bare.inUse.toFixed(0)} MB (${each(bare.inUse)} KB each)`,
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
