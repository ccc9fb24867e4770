import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { DatabasePool } from 'slonik'
import { getAddress, numberToHex, type Address } from 'viem'
import { connectDatabase } from '../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { createMemoryCounter } from '../../db/shared-state/create-memory-state.ts'
import { answerParts } from '../../gateway/http/answer-parts.ts'
import { createCostlyTurns } from '../../gateway/limits/fair-gate.ts'
import { createRateLimiter } from '../../gateway/limits/create-rate-limiter.ts'
import { compileSchema } from '../../relayer/inspect/clear-signing/compile-schema.ts'
import { createClearSigning } from '../../relayer/inspect/clear-signing/create-clear-signing.ts'
import { importSnapshot } from '../../relayer/inspect/clear-signing/import-snapshot.ts'
import { openActiveDescriptors } from '../../relayer/inspect/clear-signing/open-active-descriptors.ts'
import { readFolder } from '../../relayer/inspect/clear-signing/read-folder.ts'
import type { SnapshotFiles } from '../../relayer/inspect/clear-signing/snapshot-files.ts'
import type { Services } from '../../relayer/services.ts'
import type { OperationContext } from '../../schema/define/context.ts'
import { invokeInParts } from '../../schema/define/invoke.ts'
import { clearSigningOperations } from '../../schema/inspect/clear-signing/operations.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

/** Size of the registry of ERC-7730 in August 2026, with its formats and deployments. */
const DESCRIPTORS = 354
const FORMATS = 4
const DEPLOYMENTS = 3
const LOOKUPS = 2_000
const IMPORTS = 1
/** A folder with the real registry, instead of a generated one of its size. */
const REGISTRY = process.env['CLEAR_SIGNING_REGISTRY']
/** The contract of the registry's longest descriptor. */
const LARGEST = '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'

/** An import of a registry of that size, and a descriptor that REST serves from memory. */
export async function benchClearSigning(settings: Settings): Promise<UnratedRow[]> {
  const logger = pino({ level: 'silent' })
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-clear-signing-'))
  const server = await startEmbeddedPostgres({ dataDir, logger })
  await migrateDatabase(server.url)
  const database = await connectDatabase(server.url)
  try {
    settings.tell('a registry of descriptors')
    const cpu = () => readOwnCpu() + readPostgresCpu(join(dataDir, 'postgres', 'cluster'))
    const imports: Sample[] = []
    for (let round = 0; round < settings.rounds; round += 1)
      imports.push(await takeSample(cpu, IMPORTS, () => importOnce(database)))
    const active = await openActiveDescriptors({
      database,
      databaseUrl: server.url,
      config: { pullRequests: false },
      logger,
    })
    try {
      const row = summarize({ name: 'inspect.importDescriptors', baseline: null, compared: 'cpu' }, imports)
      const what = REGISTRY === undefined ? `${DESCRIPTORS} descriptors` : 'the registry that was named'
      return [{ ...row, note: `${what}, with PostgreSQL` }, await measureAnswers(active.current, settings)]
    } finally {
      await active.stop()
    }
  } finally {
    await database.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function importOnce(database: DatabasePool): Promise<void> {
  const files = REGISTRY === undefined ? makeRegistry() : await readFolder(REGISTRY, null)
  const { descriptors } = await importSnapshot(
    database,
    files,
    { registry: 'bench', status: 'local', pullRequest: null, repository: null, commit: null },
    { checkSchema: compileSchema() },
  )
  if (descriptors < DESCRIPTORS) throw new Error(`${descriptors} descriptors`)
}

async function measureAnswers(
  current: Parameters<typeof createClearSigning>[0],
  settings: Settings,
): Promise<UnratedRow> {
  const [operation] = clearSigningOperations
  if (!operation?.answerInParts) throw new Error('descriptors are not answered in parts')
  const { answerInParts } = operation
  const tokens = { findPublic: async () => null, isListed: () => false }
  const services: Partial<Services> = {
    clearSigning: createClearSigning(current, new Map(), tokens),
  }
  const limiter = createRateLimiter({ rateCounter: ({ seconds }) => createMemoryCounter(seconds) })
  const query = {
    chainId: 1,
    address: REGISTRY === undefined ? contractOf(7, 1) : LARGEST,
    kind: 'calldata',
  }
  const samples: Sample[] = []
  for (let round = -1; round < settings.rounds; round += 1) {
    const sample = await takeSample(readOwnCpu, LOOKUPS, async () => {
      for (let count = 0; count < LOOKUPS; count += 1) {
        const context = contextOf(services, limiter, `10.${round + 1}.${count >> 8}.${count & 255}`)
        const answer = await invokeInParts({ ...operation, answerInParts }, { query }, context)
        const { body } = await answerParts({ headers: { 'accept-encoding': 'gzip' } }, answer)
        let length = 0
        for await (const piece of body as AsyncIterable<Uint8Array>) length += piece.length
        if (length < 100) throw new Error('the answer is empty')
      }
    })
    if (round >= 0) samples.push(sample)
  }
  return summarize({ name: 'inspect.descriptor', baseline: null, compared: 'cpu' }, samples)
}

const contextOf = (
  services: Partial<Services>,
  limiter: OperationContext['limiter'],
  address: string,
): OperationContext => ({
  services: services as Services,
  client: { address },
  hasToken: true,
  authenticate: async () => null,
  idempotencyKey: null,
  idempotency: { once: (_, run) => run(async () => {}) },
  signal: new AbortController().signal,
  limiter,
  costly: createCostlyTurns(1),
})

const contractOf = (descriptor: number, place: number): Address =>
  getAddress(numberToHex(descriptor * 1_000 + place, { size: 20 }))

/** Files of the registry's size: a descriptor in it has 2 to 3 KB when merged, and every other one includes another file. */
function makeRegistry(): SnapshotFiles {
  const files = new Map<string, Buffer>()
  const write = (path: string, content: unknown) => files.set(path, Buffer.from(JSON.stringify(content)))
  for (let number = 0; number < DESCRIPTORS; number += 1) {
    const format = (place: number) => [
      `act${place}of${number}(address to, uint256 amount, (address token, uint256[] ids) order)`,
      {
        intent: `Do number ${place}`,
        fields: ['to', 'amount', 'order.token', 'order.ids.[]'].map((path) => ({
          path,
          label: `What ${path} is about, in words`,
          format: 'raw',
          visible: 'always',
        })),
      },
    ]
    const formats = Object.fromEntries(Array.from({ length: FORMATS }, (_, place) => format(place)))
    const deployments = Array.from({ length: DEPLOYMENTS }, (_, place) => ({
      chainId: place + 1,
      address: contractOf(number, place + 1),
    }))
    const name = `registry/maker${number}`
    const includes = number % 2 === 0 ? { includes: 'common.json' } : {}
    const display = { display: { formats } }
    write(`${name}/common.json`, { metadata: { owner: `Maker ${number}` }, ...(number % 2 === 0 && display) })
    write(`${name}/calldata-maker${number}.json`, {
      ...includes,
      context: { contract: { deployments } },
      ...(number % 2 === 1 && display),
    })
  }
  return files
}
