import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DevnetConfig } from '../../gateway/config/devnet-config.ts'
import { listChainSettings } from '../devnet/list-chain-settings.ts'
import { askRun } from './ask-run.ts'

/**
 * Copies chains with deployed contracts into the folder of a devnet before it starts. Resuming takes a fraction of the
 * time of a deployment.
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
