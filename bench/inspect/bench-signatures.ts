import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { numberToHex, type Hex } from 'viem'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { signaturesConfig } from '../../relayer/inspect/function-signatures/config.ts'
import { createFunctionSignatures } from '../../relayer/inspect/function-signatures/create-function-signatures.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

/** Size of Sourcify's table of verified signatures in 2025. */
const ROWS = 2_800_000
const SELECTORS = 100
const LOOKUPS = 50
const MULTIPLIER = 2_654_435_761n

/** Looks up a hundred selectors in a table of millions, as one request does; CPU of this process and PostgreSQL. */
export async function benchSignatures(settings: Settings): Promise<UnratedRow[]> {
  const logger = pino({ level: 'silent' })
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-signatures-'))
  const server = await startEmbeddedPostgres({ dataDir, logger })
  await migrateDatabase(server.url)
  const database = await connectDatabase(server.url)
  try {
    settings.tell(`${ROWS} function signatures`)
    // Multiplying by an odd number spreads the selectors over all 2^32.
    await database.transaction(async (transaction) => {
      await transaction.query(sql.typeAlias('void')`set local statement_timeout = 0`)
      await transaction.query(sql.typeAlias('void')`
        insert into function_signature
        select ((number::int8 * ${MULTIPLIER}::int8) % 4294967296 - 2147483648)::int4, 'function' || number || '(address,uint256)', 2
        from generate_series(1, ${ROWS}::int4) as rows (number)`)
      await transaction.query(sql.typeAlias('void')`analyze function_signature`)
    })
    const { lookup } = createFunctionSignatures({
      database,
      listFormats: () => [],
      config: signaturesConfig.parse({}),
      logger,
    })
    const readCpu = () => readOwnCpu() + readPostgresCpu(join(dataDir, 'postgres', 'cluster'))
    const samples: Sample[] = []
    for (let round = -1; round < settings.rounds; round += 1) {
      const sample = await takeSample(readCpu, LOOKUPS, async () => {
        for (let index = 0; index < LOOKUPS; index += 1)
          await lookupSome(lookup, (round + 2) * LOOKUPS + index)
      })
      if (round >= 0) samples.push(sample)
    }
    const row = summarize({ name: 'inspect.functionSignatures', baseline: null, compared: 'cpu' }, samples)
    return [{ ...row, note: `${SELECTORS} selectors of ${ROWS} signatures, with PostgreSQL` }]
  } finally {
    await database.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function lookupSome(
  lookup: ReturnType<typeof createFunctionSignatures>['lookup'],
  seed: number,
): Promise<void> {
  const selectors = Array.from({ length: SELECTORS }, (_, index): Hex => {
    const number = 1n + ((BigInt(seed * SELECTORS + index) * 7_919n) % BigInt(ROWS))
    return numberToHex(Number(BigInt.asUintN(32, ((number * MULTIPLIER) % 2n ** 32n) - 2n ** 31n)), {
      size: 4,
    })
  })
  const found = await lookup(selectors)
  for (const selector of selectors)
    if (!found.get(selector)?.length) throw new Error(`${selector} was not found`)
}
