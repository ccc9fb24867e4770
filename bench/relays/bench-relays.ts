import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askNode } from '../../test/harness/ask-node.ts'
import { countRpc } from '../../test/harness/count-rpc.ts'
import { runConcurrently, type RelayBody } from '../../test/harness/relay-requests.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, takeSample } from '../measure/take-sample.ts'
import { openDoorWorld } from '../relayer/open-door-world.ts'
import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import { createPlainRelayer } from '../relayer/relay-plainly.ts'
import type { RelayNote } from '../relayer/relay-world.ts'
import { watchSpent } from '../relayer/watch-spent.ts'
import { openHttpClient, type HttpClient } from '../service/open-http-client.ts'
import type { Settings } from '../settings.ts'
import { readStatementCount } from './count-statements.ts'
import { methodsOf, ownMethodsOf, withoutLooks } from './own-calls.ts'
import { createTally } from './tally.ts'

/** Concurrent requests, and the eager client's notes at that concurrency. */
const LOADS = [
  { atOnce: 1, eager: 5 },
  { atOnce: 4, eager: 8 },
  { atOnce: 16, eager: 16 },
] as const
/** Each load has a service and a chain of its own, and this many of the 62 notes of the vectors. The rest warm it up. */
const NOTES = 44
const QUOTES = 2_000
const BLOCKS = 10
/** Milliseconds between the eager client's reads of a receipt. */
const EAGER_MS = 50
/** For the aftermath of a relay: its block, its settlement. */
const SETTLE_MS = 1_500
/** A count of statements is written ten times a second. */
const COUNT_MS = 250

type World = Awaited<ReturnType<typeof openWorld>>
type Tally = ReturnType<typeof createTally>

/**
 * Measures relays as a sceptic would, with a fresh service. A proxy counts its requests to the node; the CPU is that of the
 * service and its PostgreSQL. Each quote and each request has a new connection. It lasts until the chain has the withdrawal
 * and a while after.
 */
export async function benchRelays(settings: Settings): Promise<UnratedRow[]> {
  const tally = createTally()
  for (let round = 0; round < settings.rounds; round += 1)
    for (const load of LOADS) {
      settings.tell(`${load.atOnce} at once, round ${round + 1} of ${settings.rounds}`)
      const world = await openWorld()
      try {
        await measureService(tally, world, load.atOnce)
        await world.stopService()
        await askNode(world.chain.rpcUrl, 'evm_revert', world.snapshot)
        await measureEager(tally, world, load)
      } finally {
        await world.stop()
      }
    }
  return tally.rows()
}

async function openWorld() {
  const countDir = await mkdtemp(join(tmpdir(), 'bench-count-'))
  const countFile = join(countDir, 'statements')
  const preload = new URL('./count-statements.ts', import.meta.url).href
  const world = await openDoorWorld(
    async (rpcUrl) => {
      const counter = await countRpc(rpcUrl)
      return { ...counter, stop: counter.close }
    },
    { NODE_OPTIONS: `--import=${preload}`, STATEMENT_COUNT: countFile },
  )
  const stop = async () => {
    await world.stop()
    await rm(countDir, { recursive: true, force: true })
  }
  const [chain] = world.chains
  if (!chain) throw new Error('there is no chain')
  // The eager client spends the same notes again.
  const snapshot = await askNode<string>(chain.rpcUrl, 'evm_snapshot')
  return { ...world, chain, snapshot, stop, countStatements: () => readStatementCount(countFile) }
}

async function measureService(tally: Tally, world: World, atOnce: number): Promise<void> {
  const { chain, door, readCpu, countStatements } = world
  const client = openHttpClient(world.url, { keepAlive: false })
  const watch = await watchSpent(world.chains)
  const relay = async (note: RelayNote) =>
    (await relayOnce(client, note)) && (await watch.waitFor(note.nullifierHash))
  try {
    await runConcurrently(world.notes.slice(NOTES), atOnce, relay)
    await sleep(SETTLE_MS)
    door.takeBodies()
    const [cpuBefore, statementsBefore] = [await readCpu(), countStatements()]
    const started = performance.now()
    const good = await runConcurrently(world.notes.slice(0, NOTES), atOnce, relay)
    const wallMs = (performance.now() - started) / NOTES
    await sleep(SETTLE_MS)
    const cpuMs = ((await readCpu()) - cpuBefore) / NOTES
    const bodies = door.takeBodies()
    await sleep(COUNT_MS)
    tally.add(
      `relays.at${atOnce}`,
      { operations: NOTES, cpuMs, wallMs },
      {
        trips: bodies.map(methodsOf),
        ownTrips: bodies.map(ownMethodsOf).filter(({ length }) => length > 0),
        statements: countStatements() - statementsBefore,
        good: good.filter(Boolean).length,
      },
    )
    if (atOnce > 1) return
    const quote = quoteOf(world.notes[0])
    const ask = () => client.post('/relayer/quote', quote)
    const quotes = Array.from({ length: QUOTES })
    await runConcurrently(quotes, 8, ask)
    tally.add('relays.quote', await takeSample(readCpu, QUOTES, () => runConcurrently(quotes, 8, ask)))
    door.takeBodies()
    const empty = await takeSample(readCpu, BLOCKS, async () => {
      for (let block = 0; block < BLOCKS; block += 1) {
        await askNode(chain.rpcUrl, 'evm_mine')
        await sleep(SETTLE_MS)
      }
    })
    tally.add('relays.emptyBlock', empty, { trips: door.takeBodies().flatMap(withoutLooks), good: BLOCKS })
  } finally {
    client.close()
    await watch.stop()
  }
}

/** The strongest plain client: its own CPU alone. */
async function measureEager(
  tally: Tally,
  { chain, notes }: World,
  { atOnce, eager }: (typeof LOADS)[number],
): Promise<void> {
  const bodies = await Promise.all(notes.slice(0, eager).map((note) => note.makeBody()))
  const plain = await createPlainRelayer(chain, EAGER_MS, true)
  try {
    for (const body of bodies) await plain.warmUp(body)
    // A failure is reported as such, and does not end the bench.
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
  } finally {
    await plain.close()
  }
}

/** True if the relayer accepted a withdrawal, after a quote for it. */
async function relayOnce(client: HttpClient, note: RelayNote): Promise<boolean> {
  const body = await note.makeBody()
  const quoted = await client.post('/relayer/quote', quoteOf(note))
  const answer = await client.post('/relayer/request', JSON.stringify(body))
  return quoted.status === 200 && (JSON.parse(answer.body) as { success?: boolean }).success === true
}

function quoteOf(note: RelayNote | undefined): string {
  const terms = { amount: '1000000000000000000', asset: NATIVE_ASSET, extraGas: false }
  return JSON.stringify({
    ...terms,
    chainId: note?.chain.chainId,
    recipient: note?.chain.accounts.at(-1)?.address,
  })
}
