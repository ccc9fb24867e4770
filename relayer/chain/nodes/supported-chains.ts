import { listCapabilities, type Capability } from './capabilities.ts'
import type { ChainConfig } from './config.ts'

/** A chain as the API describes it. */
export interface SupportedChain {
  name: string
  chainId: number
  isTestnet: boolean
  explorerUrl: string | null
  /** Goes between explorerUrl and a transaction's hash. */
  explorerTxPath: string
  mainnetChainId: number | null
  logoBaseName: string | null
  isSquareLogo: boolean
  /** Services on the chain; always includes `receive`. */
  capabilities: Capability[]
}

/** The configured chains as the API describes them, in the order of the configuration. */
export function describeChains(chains: readonly ChainConfig[]): readonly SupportedChain[] {
  return chains.map((chain) => ({
    name: chain.name,
    chainId: chain.chainId,
    isTestnet: chain.isTestnet,
    explorerUrl: chain.explorer?.replace(/\/+$/, '') ?? null,
    explorerTxPath: chain.explorerTxPath,
    mainnetChainId: chain.mainnetChainId ?? null,
    logoBaseName: chain.logoBaseName ?? null,
    isSquareLogo: chain.isSquareLogo,
    capabilities: [...listCapabilities(chain)],
  }))
}

/** Returns the URL to which a transaction's hash is appended; null for a chain without an explorer. */
export function explorerTxUrlBase(chain: Pick<ChainConfig, 'explorer' | 'explorerTxPath'>): string | null {
  return chain.explorer ? chain.explorer.replace(/\/+$/, '') + chain.explorerTxPath : null
}
