import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmptyDatabase } from '../harness/open-test-database.ts'
import { post, relayBody, runConcurrently, untilFinal, type RelayBody } from '../harness/relay-requests.ts'
import { createServiceProcess, START_ARGUMENTS, type ServiceProcess } from '../harness/service-process.ts'
import { findRedisServer, startRedis, type RedisServer } from '../harness/start-redis.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'
import { expectLedgerOfChain } from './expect-ledger-of-chain.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MIGRATIONS = join(ROOT, 'db/migrations')
const RELAYS = 32
const program = findRedisServer('a rolling upgrade')

/** The commit before the one that brought the newest migration; null where there is no history. */
async function findFormerVersion(): Promise<string | null> {
  const newest = (await readdir(MIGRATIONS))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .at(-1)
  if (newest === undefined) return null
  const added = ['log', '--diff-filter=A', '--format=%H', '--', `db/migrations/${newest}`]
  const { stdout } = await run('git', added, { cwd: ROOT }).catch(() => ({ stdout: '' }))
  return stdout.trim() === '' ? null : `${stdout.trim()}^`
}

const former = await findFormerVersion()
let world: TestDevnet
let database: Awaited<ReturnType<typeof openEmptyDatabase>>
let redis: RedisServer
let folder: string
const running: ServiceProcess[] = []

beforeAll(async () => {
  if (!program || former === null) return
  folder = await mkdtemp(join(tmpdir(), 'rolling-'))
  const checkout = join(folder, 'former')
  await mkdir(checkout)
  await run('sh', ['-c', `git -C '${ROOT}' archive '${former}' | tar -x -C '${checkout}'`])
  await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  world = await startTestDevnet({ deterministic: true }, { hasVectorDeposits: true })
  database = await openEmptyDatabase()
  redis = await startRedis(program)
})
afterAll(async () => {
  for (const service of running) await service.stop()
  await redis?.stop()
  await database?.drop()
  await world?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function writeConfig(): Promise<string> {
  const file = join(folder, 'config.json')
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  const identity = { masterKeys: [randomBytes(32).toString('hex')] }
  await writeFile(file, JSON.stringify({ identity, chains: world.devnet.chains }, asText))
  return file
}

async function listMigrations(): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select name from schema_migration')
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** True for an instance that takes no connections: a proxy then asks another one. */
const isRefused = (error: unknown) =>
  (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? '') === 'ECONNREFUSED'

test.runIf(program && former !== null)(
  'two instances are replaced by those of the next version while relays and reads go on, and no client sees an error',
  async () => {
    const CONFIG = await writeConfig()
    const open = async (root: string) => {
      const env = { CONFIG, DATABASE_URL: database.url, REDIS_URL: redis.url }
      const DATA_DIR = join(folder, String(running.length))
      const service = await createServiceProcess({ ...env, DATA_DIR }, START_ARGUMENTS, root)
      running.push(service)
      await service.start()
      return service
    }
    const old = join(folder, 'former')
    const serving = [await open(old), await open(old)]
    const before = await listMigrations()

    const errors: string[] = []
    let turn = 0
    /** As a proxy: an instance that refuses connections is passed over; every other failure is one of the client. */
    async function ask<Answer>(request: (url: string) => Promise<Answer & { status: number }>) {
      for (let attempt = 0; ; attempt += 1) {
        const { url } = serving[(turn += 1) % serving.length]!
        try {
          const answer = await request(url)
          if (answer.status >= 500) errors.push(`${answer.status} ${JSON.stringify(answer)}`)
          return answer
        } catch (error) {
          if (!isRefused(error) || attempt > 20) errors.push(String((error as Error).cause ?? error))
          if (!isRefused(error) || attempt > 20) throw error
        }
      }
    }
    const over = new AbortController()
    let reads = 0
    const reading = (async () => {
      while (!over.signal.aborted) {
        await ask((url) =>
          fetch(`${url}/v1/supported-chains`).then(async (answer) => {
            await answer.text()
            return answer
          }),
        )
        reads += 1
      }
    })()

    const vectors = loadRelayVectors().relays.slice(0, RELAYS)
    const bodies = await Promise.all(vectors.map((vector) => relayBody(vector)))
    const relay = async (body: RelayBody) => {
      const answer = await ask((url) => post(url, '/relayer/request', body))
      expect(answer.body).toMatchObject({ success: true })
      return String(answer.body['requestId'])
    }
    const relayAll = (some: readonly RelayBody[]) => runConcurrently(some, 2, relay)
    const quarter = RELAYS / 4

    const ids = await relayAll(bodies.slice(0, quarter))
    const steps = [0, 1].map((place) => async () => {
      const next = await open(ROOT)
      const [leaving] = serving.splice(place, 1, next)
      expect(await leaving!.stop()).toBe(0)
    })
    for (const [place, step] of steps.entries()) {
      const part = bodies.slice(quarter * (place + 1), quarter * (place + 2))
      const [made] = await Promise.all([relayAll(part), step()])
      ids.push(...made)
    }
    ids.push(...(await relayAll(bodies.slice(quarter * 3))))
    const ends = await Promise.all(ids.map((id) => untilFinal(serving[0]!.url, id)))
    over.abort()
    await reading

    expect(errors).toEqual([])
    expect(reads).toBeGreaterThan(10)
    expect(ends.map(({ status }) => status)).toEqual(ids.map(() => 'confirmed'))
    const after = await listMigrations()
    expect(after.length).toBeGreaterThan(before.length)
    await expectLedgerOfChain(serving[0]!.url, world.chain.rpcUrl, vectors)
  },
)
