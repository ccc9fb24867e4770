import { writeFile } from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDevnet, type Devnet } from '../../relayer/devnet/start-devnet.ts'
import { devnetConfig } from '../../relayer/devnet/config.ts'
import { get, post, relayBody, untilFinal } from '../harness/relay-requests.ts'
import { createServiceProcess, type ServiceProcess } from '../harness/service-process.ts'
import { createTestDatabase, type TestDatabase } from '../harness/start-database.ts'
import { findRedisServer, startRedis, type RedisServer } from '../harness/start-redis.ts'
import { loadRelayVectors, replayVectorDeposits } from '../vectors/load-relay-vectors.ts'

const program = findRedisServer('relaying with a PostgreSQL server, a Redis server and configured chains')

let folder: string
let redis: RedisServer
let database: TestDatabase
let chains: Devnet
let service: ServiceProcess

beforeAll(async () => {
  if (!program) return
  folder = await mkdtemp(join(tmpdir(), 'external-test-'))
  redis = await startRedis(program)
  database = await createTestDatabase()
  // Somebody else's chains, as far as the service can tell: it gets their RPC addresses and nothing more.
  chains = await startDevnet({
    dataDir: folder,
    config: devnetConfig.parse({
      chainIds: [31_337],
      ports: [0],
      deterministic: true,
      aspDelaySeconds: 3_600,
    }),
    logger: pino({ level: 'silent' }),
  })
  const file = join(folder, 'service.json')
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  // The first RPC address is dead: the service has to fail over to the second.
  const configured = chains.chains.map((chain) => ({
    ...chain,
    rpcUrls: ['http://127.0.0.1:9/', ...chain.rpcUrls],
  }))
  await writeFile(file, JSON.stringify({ chains: configured }, asText))
  service = await createServiceProcess({
    CONFIG: file,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    DATA_DIR: join(folder, 'unused'),
  })
  await service.start()
})
afterAll(async () => {
  if (!program) return
  await service?.stop()
  await chains?.stop()
  await database?.drop()
  await redis?.stop()
  await rm(folder, { recursive: true, force: true })
})

test.runIf(program)(
  'relays on configured chains over external servers, past a dead RPC address',
  async () => {
    const vectors = loadRelayVectors()
    await replayVectorDeposits(vectors, chains.chains[0]!)
    const [vector] = vectors.relays
    const { body: answer } = await post(service.url, '/relayer/request', await relayBody(vector!))
    expect(answer).toMatchObject({ success: true })
    expect(await untilFinal(service.url, answer['requestId'] as string)).toMatchObject({
      status: 'confirmed',
    })
    expect((await get(service.url, '/health/ready')).body).toMatchObject({ ready: true })
  },
)
