import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { z } from 'zod'
import { devnetConfig } from '../../gateway/config/devnet-config.ts'
import { readDescription, type DescribedChain } from '../devnet/devnet-description.ts'
import { resumeDeployedChains } from './resume-deployed-chains.ts'
import { startDevnetHere, type DevnetHere } from './start-devnet-here.ts'
import { at } from '../vectors/relay-story.ts'

export interface TestDevnet extends AsyncDisposable {
  devnet: DevnetHere
  dataDir: string
  /** The first chain as devnet.json shows it. */
  chain: DescribedChain
}

export interface DevnetPlace {
  /** Its folder, which stays; without it a folder of its own is removed at the end. */
  folder?: string
  /** Whether it deploys the contracts itself, as for users, instead of resuming a chain that has them. */
  isNew?: boolean
  /** Whether the vectors' deposits are on it from the start. */
  hasVectorDeposits?: boolean
}

/** A devnet of one chain on free ports, without an ASP unless the settings want one. */
export async function startTestDevnet(
  settings: z.input<typeof devnetConfig> = {},
  { folder, isNew = folder !== undefined, hasVectorDeposits = false }: DevnetPlace = {},
): Promise<TestDevnet> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'devnet-test-')))
  const config = devnetConfig.parse({
    chainIds: [31_337],
    ports: [],
    asp: false,
    across: false,
    cash: false,
    market: false,
    aspDelaySeconds: 0,
    ...settings,
  })
  if (!isNew) await resumeDeployedChains(dataDir, config, { hasVectorDeposits })
  const devnet = await startDevnetHere({ dataDir, config, logger: pino({ level: 'silent' }) })
  return {
    devnet,
    dataDir,
    chain: at((await readDescription(dataDir)).chains, 0),
    async [Symbol.asyncDispose]() {
      await devnet.stop()
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
