import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resumeServiceChains } from './resume-service-chains.ts'
import { runCli } from './run-cli.ts'
import { createServiceProcess, type ServiceProcess } from './service-process.ts'

export interface DemoService {
  service: ServiceProcess
  dataDir: string
  /** Runs `npm run demo -- …` with the service's environment and the given changes. */
  runDemo(args?: readonly string[], changes?: Record<string, string>): ReturnType<typeof runCli>
  stop(): Promise<void>
}

/** Milliseconds; on a busy machine a proof takes longer than a fee is good for by default. */
const SETTINGS = { withdrawals: { quoteTtlMs: 600_000 } }

/**
 * Starts the service as `npm start` does without settings, with chains that have the contracts. Only the ports, the
 * delay of the ASP and the validity of a fee differ.
 */
export async function startDemoService(): Promise<DemoService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-test-'))
  const env = { DATA_DIR: dataDir, DEVNET_PORTS: '0,0', ASP_DELAY_SECONDS: '1' }
  const config = join(dataDir, 'config.json')
  await writeFile(config, JSON.stringify(SETTINGS))
  const service = await createServiceProcess({ ...env, CONFIG: config })
  const stop = async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await resumeServiceChains(dataDir, { ports: [0, 0] })
    await service.start()
  } catch (error) {
    await stop()
    throw error
  }
  const { port } = new URL(service.url)
  return {
    service,
    dataDir,
    runDemo: (args = [], changes = {}) =>
      runCli('test/e2e/examples/demo/main.ts', args, { ...env, PORT: port, ...changes }),
    stop,
  }
}
