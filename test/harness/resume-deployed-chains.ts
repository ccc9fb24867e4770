import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listChainSettings, type DevnetConfig } from '../../relayer/devnet/config.ts'
import { askRun } from './ask-run.ts'

/**
 * Puts chains that hold the contracts into the folder of a devnet that has not started: it resumes them in a fraction of
 * the time that the deployment takes.
 * @param dataDir Folder of the devnet, without chains.
 */
export async function resumeDeployedChains(
  dataDir: string,
  config: DevnetConfig,
  { hasVectorDeposits = false }: { hasVectorDeposits?: boolean } = {},
): Promise<void> {
  for (const { chainId, genesisBlock } of listChainSettings(config)) {
    const { deterministic } = config
    const state = await askRun('deployedChain', { chainId, genesisBlock, deterministic, hasVectorDeposits })
    const folder = join(dataDir, 'devnet', String(chainId))
    await mkdir(folder, { recursive: true })
    await copyFile(state, join(folder, 'state.json'))
  }
}
