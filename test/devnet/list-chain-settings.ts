import type { DevnetConfig } from '../../gateway/config/devnet-config.ts'

/** Start settings of one of the chains. */
export interface DevnetChainSettings {
  chainId: number
  port: number
  genesisBlock: number
}

/** The settings of each chain, from the lists of the configuration. */
export function listChainSettings({ chainIds, ports, genesisBlocks }: DevnetConfig): DevnetChainSettings[] {
  return chainIds.map((chainId, index) => ({
    chainId,
    port: ports[index] ?? 0,
    genesisBlock: genesisBlocks[index] ?? 0,
  }))
}
