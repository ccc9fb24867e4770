import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { get, post, relayBody, untilFinal } from '../harness/relay-requests.ts'
import { createServiceProcess, type ServiceProcess } from '../harness/service-process.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { findRedisServer, startRedis, type RedisServer } from '../harness/start-redis.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'

const program = findRedisServer('relaying with a PostgreSQL server, a Redis server and configured chains')

let redis: RedisServer
let database: TestDatabase
let world: TestDevnet
let service: ServiceProcess

beforeAll(async () => {
  if (!program) return
  redis = await startRedis(program)
  database = await openTestDatabase()
  // External chains from the service's view: it gets their RPC URLs and nothing else.
  world = await startTestDevnet({ deterministic: true }, { hasVectorDeposits: true })
  const file = join(world.dataDir, 'service.json')
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  // The first RPC address is dead: the service has to fail over to the second.
  const configured = world.devnet.chains.map((chain) => ({
    ...chain,
    rpcUrls: ['http://127.0.0.1:9/', ...chain.rpcUrls],
  }))
  await writeFile(file, JSON.stringify({ chains: configured }, asText))
  service = await createServiceProcess({
    CONFIG: file,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    DATA_DIR: join(world.dataDir, 'unused'),
  })
  await service.start()
})
afterAll(async () => {
  if (!program) return
  await service?.stop()
  await world?.[Symbol.asyncDispose]()
  await database?.drop()
  await redis?.stop()
})

test.runIf(program)(
  'the service relays with external PostgreSQL and Redis although one RPC URL is dead',
  async () => {
    const vectors = loadRelayVectors()
    const [vector] = vectors.relays
    const { body: answer } = await post(service.url, '/relayer/request', await relayBody(vector!))
    expect(answer).toMatchObject({ success: true })
    expect(await untilFinal(service.url, answer['requestId'] as string)).toMatchObject({
      status: 'confirmed',
    })
    expect((await get(service.url, '/health/ready')).body).toMatchObject({ ready: true })
  },
)

test.runIf(program)(
  'a start under a foreign master key ends with a sentence that says what to do',
  async () => {
    const stranger = await createServiceProcess({
      CONFIG: join(world.dataDir, 'service.json'),
      DATABASE_URL: database.url,
      DATA_DIR: join(world.dataDir, 'stranger'),
    })
    const failure = await stranger.start().catch((error: Error) => error.message)
    await stranger.stop()
    expect(failure).toMatch(/ended with 1:\n[^]*identity\.masterKeys lacks: add that key/)
    expect(failure).not.toMatch(/^ +at /m)
  },
)
