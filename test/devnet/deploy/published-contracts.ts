import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

/** A contract as its package ships it. */
export interface PublishedContract {
  abi: Abi
  bytecode: Hex
}

/** Modules of porto, which exports only its entry: they are read by their path beside it. */
const GENERATED = {
  Orchestrator: 'Orchestrator',
  IntentAccount: 'IthacaAccount',
  IntentAccountProxy: 'EIP7702Proxy',
  IntentSimulator: 'Simulator',
} as const

/** JSON files with an ABI and creation bytecode. */
const ARTIFACTS = {
  MulticallHandler:
    '@across-protocol/contracts/dist/evm/artifacts/MulticallHandler.sol/MulticallHandler.json',
  SpokePool: '@across-protocol/contracts/dist/evm/artifacts/Ethereum_SpokePool.sol/Ethereum_SpokePool.json',
  SpokePoolProxy: '@across-protocol/contracts/dist/evm/artifacts/ERC1967Proxy.sol/ERC1967Proxy.json',
  NameRegistry: '@ensdomains/ens/build/contracts/ENSRegistry.json',
  NameResolver: '@ensdomains/resolver/build/contracts/PublicResolver.json',
  OffchainResolver:
    '@ensdomains/offchain-resolver-contracts/artifacts/contracts/OffchainResolver.sol/OffchainResolver.json',
  PairFactory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  PoolFactory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  PositionManager:
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  SwapQuoter: '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  SwapRouter: '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
} as const

/** Contracts that are deployed as their authors published them, by the names of our deployment steps. */
export type PublishedContracts = Record<keyof typeof GENERATED | keyof typeof ARTIFACTS, PublishedContract>

/** Reads the packages' ABI and creation bytecode. Milliseconds; only a chain that lacks contracts needs it. */
export async function loadPublishedContracts(): Promise<PublishedContracts> {
  const read = [
    ...Object.entries(GENERATED).map(async ([step, name]) => [step, await importGenerated(name)] as const),
    ...Object.entries(ARTIFACTS).map(async ([step, path]) => [step, await readArtifact(path)] as const),
  ]
  return Object.fromEntries(await Promise.all(read)) as PublishedContracts
}

async function importGenerated(name: string): Promise<PublishedContract> {
  const file = new URL(`./core/internal/_generated/contracts/${name}.js`, import.meta.resolve('porto'))
  const { abi, code } = (await import(file.href)) as { abi: Abi; code: Hex }
  return { abi, bytecode: code }
}

async function readArtifact(path: string): Promise<PublishedContract> {
  const { abi, bytecode } = JSON.parse(await readFile(fileURLToPath(import.meta.resolve(path)), 'utf8')) as {
    abi: Abi
    bytecode: string
  }
  // Some compilers write the bytecode without its prefix.
  return { abi, bytecode: bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}` }
}
