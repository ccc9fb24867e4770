import { setTimeout as sleep } from 'node:timers/promises'
import { askNode } from '../../test/harness/ask-node.ts'
import { countRpc } from '../../test/harness/count-rpc.ts'
import { runConcurrently, type RelayBody } from '../../test/harness/relay-requests.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, takeSample } from '../measure/take-sample.ts'
import { openDoorWorld } from '../relayer/open-door-world.ts'
import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import { createPlainRelayer } from '../relayer/relay-plainly.ts'
import type { RelayNote } from '../relayer/relay-world.ts'
import { watchSpent } from '../relayer/watch-spent.ts'
import { openHttpClient, type HttpClient } from '../service/open-http-client.ts'
import { readServiceCpu } from '../service/read-metrics.ts'
import type { Settings } from '../settings.ts'
import { createTally } from './tally.ts'

/** Requests under way at once, and of how many notes each round has its figures: 62 in all. */
const LOADS = [
  { atOnce: 1, relayed: 12, eager: 3 },
  { atOnce: 4, relayed: 14, eager: 4 },
  { atOnce: 16, relayed: 16, eager: 5 },
] as const
const WARM_UP = 8
const QUOTES = 2_000
const BLOCKS = 10
/** How often the eager client looks for a receipt. */
const EAGER_MS = 50
/** For what follows from a relay: its block, its settlement. */
const SETTLE_MS = 1_500

/**
 * Relays as one measures who does not believe us: a service behind a door that counts what it asks its node, its CPU and that
 * of its PostgreSQL, a quote and a request on a new connection each, until the chain has the withdrawal and for a while after.
 */
export async function benchRelays(settings: Settings): Promise<UnratedRow[]> {
  const tally = createTally()
  for (let round = 0; round < settings.rounds; round += 1) {
    settings.tell(`starting the service for round ${round + 1} of ${settings.rounds}`)
    const world = await openDoorWorld(async (rpcUrl) => {
      const counter = await countRpc(rpcUrl)
      return { ...counter, stop: counter.close }
    })
    const client = openHttpClient(world.url, { keepAlive: false })
    const watch = watchSpent(world.chains)
    const ofService = readServiceCpu(world.url)
    const readCpu = async () => ((await ofService()) ?? 0) + readPostgresCpu(world.cluster)
    const notes = [...world.notes]
    const take = (count: number) => notes.splice(0, count)
    const relay = async (note: RelayNote) =>
      (await relayOnce(client, note)) && (await watch.waitFor(note.nullifierHash))

    async function measureRelays(name: string, list: readonly RelayNote[], atOnce: number): Promise<void> {
      world.door.take()
      const cpuBefore = await readCpu()
      const started = performance.now()
      const good = await runConcurrently(list, atOnce, relay)
      const wallMs = (performance.now() - started) / list.length
      await sleep(SETTLE_MS)
      const cpuMs = ((await readCpu()) - cpuBefore) / list.length
      const sample = { operations: list.length, cpuMs, wallMs }
      tally.add(name, sample, { trips: world.door.take(), good: good.filter(Boolean).length })
    }

    try {
      await runConcurrently(take(WARM_UP), 2, relay)
      await sleep(SETTLE_MS)
      for (const { atOnce, relayed } of LOADS)
        await measureRelays(`relays.at${atOnce}`, take(relayed), atOnce)
      const quote = quoteOf(world.notes[0])
      const ask = () => client.post('/relayer/quote', quote)
      const quotes = Array.from({ length: QUOTES })
      await runConcurrently(quotes, 8, ask)
      tally.add('relays.quote', await takeSample(readCpu, QUOTES, () => runConcurrently(quotes, 8, ask)))
      const [chain] = world.chains
      if (!chain) throw new Error('there is no chain')
      world.door.takeBodies()
      const empty = await takeSample(readCpu, BLOCKS, async () => {
        for (let block = 0; block < BLOCKS; block += 1) {
          await askNode(chain.rpcUrl, 'evm_mine')
          await sleep(SETTLE_MS)
        }
      })
      tally.add('relays.emptyBlock', empty, {
        trips: world.door.takeBodies().flatMap(withoutLooks),
        good: BLOCKS,
      })
      client.close()
      await watch.stop()
      await world.stopService()
      for (const { atOnce, eager } of LOADS) {
        const bodies = await Promise.all(take(eager).map((note) => note.makeBody()))
        const plain = await createPlainRelayer(chain, EAGER_MS, true)
        for (const body of bodies) await plain.warmUp(body)
        // One that fails is told as such, not the end of the bench.
        const isGood = (body: RelayBody) =>
          plain.relay(body).then(
            () => true,
            () => false,
          )
        let good: boolean[] = []
        const sample = await takeSample(readOwnCpu, bodies.length, async () => {
          good = await runConcurrently(bodies, atOnce, isGood)
        })
        tally.add(`relays.eagerAt${atOnce}`, sample, { good: good.filter(Boolean).length })
        await plain.close()
      }
    } finally {
      await world.stop()
    }
  }
  return tally.rows()
}

/** Whether the relayer took a withdrawal, after a quote for it. */
async function relayOnce(client: HttpClient, note: RelayNote): Promise<boolean> {
  const body = await note.makeBody()
  const quoted = await client.post('/relayer/quote', quoteOf(note))
  const answer = await client.post('/relayer/request', JSON.stringify(body))
  return quoted.status === 200 && (JSON.parse(answer.body) as { success?: boolean }).success === true
}

function quoteOf(note: RelayNote | undefined): string {
  const pool = note?.chain.pools.find(({ asset }) => asset === NATIVE_ASSET)
  const terms = { amount: '1000000000000000000', asset: NATIVE_ASSET, extraGas: false }
  return JSON.stringify({ ...terms, chainId: note?.chain.chainId, recipient: pool?.pool })
}

/** The methods of a round trip, without looks for a new head; none where it was only that. */
function withoutLooks(body: string): string[][] {
  const calls = [JSON.parse(body)].flat() as { method: string; params: unknown[] }[]
  const others = calls.filter(
    ({ method, params }) => !(method === 'eth_getBlockByNumber' && params[0] === 'latest'),
  )
  return others.length > 0 ? [others.map(({ method }) => method)] : []
}
