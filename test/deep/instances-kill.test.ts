import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { keccak256, parseEther, stringToHex, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { askNode } from '../harness/ask-node.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { post, relayBody, runConcurrently, untilFinal, type RelayBody } from '../harness/relay-requests.ts'
import { startDoor, type Door } from '../harness/start-door.ts'
import { startInstances, type Instances } from '../harness/start-instances.ts'
import { findRedisServer, startRedis, type RedisServer } from '../harness/start-redis.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'
import { expectLedgerOfChain } from './expect-ledger-of-chain.ts'

const program = findRedisServer('instances of which one is killed')
/** Of so many instances, one is killed each time that so many relays were accepted. */
const CASES = [
  { count: 2, relays: 32, killedAfter: [8] },
  { count: 4, relays: 48, killedAfter: [8, 24] },
]

const timed = (began: number, { status, error }: Record<string, unknown>) => ({
  /** With the reason of one that failed. */
  end: [status, error ?? ''].join(' ').trim(),
  after: performance.now() - began,
})

describe.runIf(program).each(CASES)('$count instances behind a node that answers 150 ms late', (story) => {
  let world: TestDevnet
  let door: Door
  let database: TestDatabase
  let redis: RedisServer
  let instances: Instances

  beforeAll(async () => {
    world = await startTestDevnet({ deterministic: true }, { hasVectorDeposits: true })
    const [served] = world.devnet.chains
    if (!served?.relayer) throw new Error('the devnet has no relayer')
    const keysFor = (duty: string) =>
      Array.from({ length: 8 }, (_, index) => keccak256(stringToHex(`${duty} ${index}`)))
    const keys = { signerKeys: keysFor('sends'), relaySignerKeys: keysFor('relays') }
    for (const key of [...keys.signerKeys, ...keys.relaySignerKeys])
      await askNode(world.chain.rpcUrl, 'anvil_setBalance', privateKeyToAddress(key), toHex(parseEther('10')))
    door = await startDoor(world.chain.rpcUrl)
    database = await openTestDatabase()
    redis = await startRedis(program!)
    instances = await startInstances({
      count: story.count,
      chains: [{ ...served, rpcUrls: [door.url], relayer: { ...served.relayer, ...keys } }],
      environment: { DATABASE_URL: database.url, REDIS_URL: redis.url },
    })
    door.delay(150)
  })
  afterAll(async () => {
    await instances?.stop()
    await redis?.stop()
    await database?.drop()
    await door?.close()
    await world?.[Symbol.asyncDispose]()
  })

  /** As a client does whose instance dies: it asks another. */
  async function relayAnywhere(body: RelayBody, first: number): Promise<string> {
    for (let turn = first; ; turn += 1) {
      const { url } = instances.list[turn % instances.list.length]!
      const answer = await post(url, '/relayer/request', body).catch(() => null)
      if (answer?.body['success'] === true) return String(answer.body['requestId'])
      if (answer && answer.status < 500) throw new Error(`refused: ${JSON.stringify(answer.body)}`)
      await sleep(200)
    }
  }

  test('every relay is mined and booked once although some instances are killed meanwhile', async () => {
    const vectors = loadRelayVectors().relays.slice(0, story.relays)
    const bodies = await Promise.all(vectors.map((vector) => relayBody(vector)))
    let accepted = 0
    const killing = (async () => {
      for (const [place, after] of story.killedAfter.entries()) {
        await expect.poll(() => accepted).toBeGreaterThanOrEqual(after)
        await instances.list[place]!.kill()
      }
    })()
    const { url } = instances.list.at(-1)!
    const relays = await runConcurrently([...bodies.entries()], 8, async ([index, body]) => {
      const began = performance.now()
      const id = await relayAnywhere(body, index)
      accepted += 1
      const answered = performance.now() - began
      return { id, answered, ending: untilFinal(url, id).then((end) => timed(began, end)) }
    })
    await killing
    const ends = await Promise.all(relays.map(({ ending }) => ending))
    const longest = (of: readonly number[]) => `${(Math.max(...of) / 1_000).toFixed(1)} s`
    const answers = longest(relays.map(({ answered }) => answered))
    process.stdout.write(
      `${story.count} instances: longest answer ${answers}, longest until mined ${longest(ends.map(({ after }) => after))}\n`,
    )
    expect(ends.map(({ end }) => end)).toEqual(relays.map(() => 'confirmed'))
    expect(new Set(relays.map(({ id }) => id)).size).toBe(story.relays)
    await expectLedgerOfChain(url, world.chain.rpcUrl, vectors)
  })
})
