import { getContractAddress, type Address } from 'viem'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { computeScope } from '../../../relayer/pool/state/formulas.ts'
import { NATIVE, TOKENS, type DevnetPool } from './devnet-assets.ts'

/**
 * The deployer's transactions in order; a contract's address is made from its place in this list.
 * Only ever append: test vectors hold proofs that are bound to these addresses.
 */
export const DEPLOY_ORDER = [
  'PoseidonT3',
  'PoseidonT4',
  'WithdrawVerifier',
  'CommitmentVerifier',
  'EntrypointImplementation',
  'Entrypoint',
  'DollarToken',
  'EuroToken',
  'NativePool',
  'DollarPool',
  'EuroPool',
  'Multicall',
  'registerNativePool',
  'registerDollarPool',
  'registerEuroPool',
  'Orchestrator',
  'IntentAccount',
  'IntentAccountProxy',
  'IntentSimulator',
  'NameRegistry',
  'NameResolver',
  'OffchainResolver',
  'registerTopName',
  'registerClientName',
  'registerOffchainName',
  'setClientName',
  'SanctionsList',
  'WrappedNative',
  'Collectible',
  'MultiToken',
  'UniversalResolver',
  'PairFactory',
  'PoolFactory',
  'PositionManager',
  'SwapQuoter',
  'SwapRouter',
  'TaxedToken',
  'StrictToken',
  'PoolSeed',
  'seedDeepPool',
  'seedShallowPool',
  'seedEuroPool',
  'seedEuroPair',
  'seedTaxedPair',
  'seedStrictPair',
  'seedNarrowPool',
  'OutputGuard',
  'SpokePoolImplementation',
  'SpokePool',
  'MulticallHandler',
  'giveSpokePool',
  'fundFiller',
  'CashRates',
  'CashOrchestrator',
  'CashEscrow',
  'setClientAvatar',
] as const

/** One deployment; its place in the order fixes the contract's address. */
export type DeployStep = (typeof DEPLOY_ORDER)[number]

/** Addresses of the contracts of a devnet chain: the same on each of them. */
export interface DevnetAddresses {
  entrypoint: Address
  multicall: Address
  wrappedNative: Address
  collectible: Address
  multiToken: Address
  tokens: readonly [Address, Address]
  pools: readonly [DevnetPool, DevnetPool, DevnetPool]
  intents: {
    orchestrator: Address
    accountProxy: Address
    accountImplementation: Address
    simulator: Address
  }
  names: { registry: Address; resolver: Address; offchainResolver: Address; universalResolver: Address }
  sanctionsOracle: Address
  /** Uniswap's contracts by the names of the configuration, and the one that holds positions of v3. */
  uniswap: { router: Address; quoter: Address; v2Factory: Address; v3Factory: Address; positions: Address }
  /** Across' contracts: the SpokePool's proxy, and the handler that runs the messages of deposits. */
  across: { spokePool: Address; multicallHandler: Address }
  /** The contracts of cash-outs: the escrow, the orchestrator of its buyers, and the price feed. */
  cash: { escrow: Address; orchestrator: Address; rates: Address }
  taxedToken: Address
  strictToken: Address
}

/** The present or future address of a step's contract on every devnet chain. */
export function addressOf(step: DeployStep, deployer: Address): Address {
  return getContractAddress({ from: deployer, nonce: BigInt(DEPLOY_ORDER.indexOf(step)) })
}

/** The addresses that clients use, and the pools with their scopes. */
export function computeAddresses(deployer: Address, chainId: number): DevnetAddresses {
  const dollar = addressOf('DollarToken', deployer)
  const euro = addressOf('EuroToken', deployer)
  const pool = (step: DeployStep, asset: Address) => {
    const address = addressOf(step, deployer)
    return { asset, pool: address, scope: computeScope(address, chainId, asset) }
  }
  return {
    entrypoint: addressOf('Entrypoint', deployer),
    multicall: addressOf('Multicall', deployer),
    wrappedNative: addressOf('WrappedNative', deployer),
    collectible: addressOf('Collectible', deployer),
    multiToken: addressOf('MultiToken', deployer),
    tokens: [dollar, euro],
    pools: [
      { ...NATIVE, ...pool('NativePool', NATIVE_ASSET) },
      { ...TOKENS[0], ...pool('DollarPool', dollar) },
      { ...TOKENS[1], ...pool('EuroPool', euro) },
    ],
    intents: {
      orchestrator: addressOf('Orchestrator', deployer),
      accountProxy: addressOf('IntentAccountProxy', deployer),
      accountImplementation: addressOf('IntentAccount', deployer),
      simulator: addressOf('IntentSimulator', deployer),
    },
    names: {
      registry: addressOf('NameRegistry', deployer),
      resolver: addressOf('NameResolver', deployer),
      offchainResolver: addressOf('OffchainResolver', deployer),
      universalResolver: addressOf('UniversalResolver', deployer),
    },
    sanctionsOracle: addressOf('SanctionsList', deployer),
    uniswap: {
      router: addressOf('SwapRouter', deployer),
      quoter: addressOf('SwapQuoter', deployer),
      v2Factory: addressOf('PairFactory', deployer),
      v3Factory: addressOf('PoolFactory', deployer),
      positions: addressOf('PositionManager', deployer),
    },
    across: {
      spokePool: addressOf('SpokePool', deployer),
      multicallHandler: addressOf('MulticallHandler', deployer),
    },
    cash: {
      escrow: addressOf('CashEscrow', deployer),
      orchestrator: addressOf('CashOrchestrator', deployer),
      rates: addressOf('CashRates', deployer),
    },
    taxedToken: addressOf('TaxedToken', deployer),
    strictToken: addressOf('StrictToken', deployer),
  }
}
