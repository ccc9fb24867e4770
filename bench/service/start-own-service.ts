import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDescription, type DescribedChain } from '../../test/devnet/devnet-description.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import { readServiceCpu } from './read-metrics.ts'
import { createServiceProcess, VECTOR_DEVNET } from '../../test/harness/service-process.ts'

export interface OwnService {
  url: string
  /** Its folder: embedded database, devnet. */
  dataDir: string
  chain: DescribedChain
  /** CPU milliseconds of it and its PostgreSQL, with all their processes. */
  readCpu(): Promise<number>
  stop(): Promise<void>
}

/** CPU time is read from the metrics, so they must be current; documents are requested by the thousand. */
export const MEASURED_HTTP = { figuresMaxAgeMs: 0, graphql: { pointsPerMinuteOfNetwork: 1_000_000_000 } }

/**
 * Starts the service in a process of its own, on embedded defaults in a temporary folder, with one fresh local chain.
 *
 * @param settings Content of its configuration file.
 * @param devnet Environment of its devnet.
 */
export async function startOwnService(
  settings: Record<string, unknown> & { http?: Record<string, unknown> } = {},
  devnet: Record<string, string> = VECTOR_DEVNET,
): Promise<OwnService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-service-'))
  const configFile = join(dataDir, 'config.json')
  await writeFile(configFile, JSON.stringify({ ...settings, http: { ...MEASURED_HTTP, ...settings.http } }))
  const service = await createServiceProcess({ DATA_DIR: dataDir, CONFIG: configFile, ...devnet })
  const stop = async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await service.start()
    const [chain] = (await readDescription(dataDir)).chains
    if (!chain) throw new Error('the devnet has no chain')
    const { url } = service
    const ofService = readServiceCpu(url)
    const cluster = join(dataDir, 'postgres', 'cluster')
    const readCpu = async () => ((await ofService()) ?? Number.NaN) + readPostgresCpu(cluster)
    return { url, dataDir, chain, readCpu, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
