import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { startService } from '../../gateway/compose.ts'
import type { RunningService } from '../../gateway/compose/build-service.ts'
import { serviceConfig, type ServiceConfig } from '../../gateway/config/config.ts'
import { createLogger } from '../../gateway/logging.ts'
import { patientSettings } from './patient-settings.ts'
import { resumeDeployedChains } from './resume-deployed-chains.ts'
import { runDevnetHere } from './start-devnet-here.ts'
import { SHARED_THREADS } from './share-threads.ts'
import { openTestDatabase, type TestDatabase } from './open-test-database.ts'

/** Settings as in a configuration file. */
export type Settings = Parameters<typeof serviceConfig.parse>[0] & object

export interface TestService extends RunningService {
  config: ServiceConfig
  dataDir: string
  database: TestDatabase
}

/**
 * Starts the whole service as `npm start` builds it, in this process. It has its own database, folder and HTTP port,
 * and its own devnet on free ports with the addresses of the vectors. There is no ASP unless the settings ask for one,
 * because the vectors have their own root.
 * @param more Whether the vectors' deposits are on the devnet from the start, the receiver of the log's lines, and an
 * existing database. That database is dropped at the end.
 */
export async function startTestService(
  settings: Record<string, unknown> = {},
  {
    log,
    database: given,
    ...deployed
  }: { hasVectorDeposits?: boolean; log?: DestinationStream; database?: TestDatabase } = {},
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-test-'))
  const database = given ?? (await openTestDatabase())
  const config = serviceConfig.parse({
    port: 0,
    logLevel: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    // The verifier is loaded once, not once per core; as a separate process the service uses all cores.
    ...patientSettings({ proving: { threads: 1 }, ...settings }),
    // Amounts in tests follow from fixed prices. Buyers of cash-outs take a process beside the service: some tests ask for them.
    devnet: {
      market: false,
      cash: false,
      ...((settings['devnet'] as object | undefined) ?? {
        ports: [0, 0],
        deterministic: true,
        asp: false,
        chainIds: [31_337],
      }),
    },
    // Tests change balances of signers behind the service’s back.
    broadcast: { idleLookMs: 0, ...(settings['broadcast'] as object | undefined) },
    storage: { databaseUrl: database.url, dataDir, ...(settings['storage'] as object | undefined) },
  })
  const remove = async () => {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    if (config.chains.length === 0) await resumeDeployedChains(dataDir, config.devnet, deployed)
    const service = await startService({
      config,
      logger: createLogger({ level: config.logLevel, ...(log && { destination: log }) }),
      startDevnet: runDevnetHere,
      ...SHARED_THREADS,
    })
    return {
      ...service,
      config,
      dataDir,
      database,
      async stop() {
        await service.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
