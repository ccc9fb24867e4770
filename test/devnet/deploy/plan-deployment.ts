import { createRequire } from 'node:module'
import {
  encodeDeployData,
  encodeFunctionData,
  labelhash,
  namehash,
  zeroAddress,
  zeroHash,
  type Address,
  type Hex,
} from 'viem'
import type { DevnetAccounts } from '../accounts.ts'
import { CLIENT_PICTURE } from '../pictures.ts'
import type { ContractBuild, ContractName } from '../build/contract-build.ts'
import { OUTPUT_GUARD_DEPLOYMENT } from '../../../relayer/transact/venues/swap/kyberswap/kyberswap-venue.ts'
import { addressOf, computeAddresses, type DeployStep } from './devnet-addresses.ts'
import {
  MAX_RELAY_FEE_BPS,
  TOKENS_PER_CLIENT,
  VETTING_FEE_BPS,
  STRICT,
  TAXED,
  type DevnetPool,
  type TestAsset,
} from './devnet-assets.ts'
import { CLIENT_NAME, OFFCHAIN_GATEWAY, OFFCHAIN_NAME, splitName, TOP_NAME } from './devnet-names.ts'
import { planAcross } from './plan-across.ts'
import { planCash } from './plan-cash.ts'
import { planPools, uniswapArguments } from './plan-pools.ts'
import type { PublishedContracts } from './published-contracts.ts'

/** One transaction of the deployer; without `to` it creates a contract. */
export interface DeployTransaction {
  to?: Address
  data: Hex
  value?: bigint
}

/** Published contracts at addresses that are the same on every chain. */
interface FixedDeployment {
  proxyAddress: Address
  data: Hex
}

const require = createRequire(import.meta.url)

/** Plans the deployer's transaction of each step. */
export function planDeployment(
  { build, published }: { build: ContractBuild; published: PublishedContracts },
  accounts: DevnetAccounts,
  chainId: number,
): Record<DeployStep, DeployTransaction> {
  const poseidon = require('poseidon-solidity') as Record<'PoseidonT3' | 'PoseidonT4', FixedDeployment>
  const wrappedNative = require('canonical-weth/build/contracts/WETH9.json') as { bytecode: Hex }
  const deployer = accounts.deployer.address
  const { entrypoint, pools, intents, names } = computeAddresses(deployer, chainId)
  const [native, dollar, euro] = pools
  const [firstClient] = accounts.clients
  if (!firstClient) throw new Error('a devnet without clients')

  const create = (name: ContractName, ...args: readonly unknown[]): DeployTransaction => ({
    data: encodeDeployData({ abi: build[name].abi, bytecode: build[name].bytecode, args }),
  })
  const createPublished = (
    name: keyof PublishedContracts,
    ...args: readonly unknown[]
  ): DeployTransaction => ({
    data: encodeDeployData({ abi: published[name].abi, bytecode: published[name].bytecode, args }),
  })
  const callNames = (
    name: 'NameRegistry' | 'NameResolver',
    functionName: string,
    ...args: readonly unknown[]
  ): DeployTransaction => ({
    to: addressOf(name, deployer),
    data: encodeFunctionData({ abi: published[name].abi, functionName, args }),
  })
  /** Creates a subname of a devnet name with a resolver. */
  const registerName = (name: string, resolver: Address) => {
    const [label, parent] = splitName(name)
    return callNames(
      'NameRegistry',
      'setSubnodeRecord',
      namehash(parent),
      labelhash(label),
      deployer,
      resolver,
      0n,
    )
  }
  const publish = ({ proxyAddress, data }: FixedDeployment): DeployTransaction => ({ to: proxyAddress, data })
  const createToken = (
    { name, symbol, decimals }: TestAsset,
    contract: 'TestToken' | 'TaxedToken' | 'StrictToken' = 'TestToken',
  ) => {
    const holders = accounts.clients.map(({ address }) => address)
    return create(contract, name, symbol, decimals, holders, TOKENS_PER_CLIENT * 10n ** BigInt(decimals))
  }
  const poolArguments = [
    entrypoint,
    addressOf('WithdrawVerifier', deployer),
    addressOf('CommitmentVerifier', deployer),
  ]
  const register = ({ asset, pool, minimumDeposit }: DevnetPool): DeployTransaction => ({
    to: entrypoint,
    data: encodeFunctionData({
      abi: build.Entrypoint.abi,
      functionName: 'registerPool',
      args: [asset, pool, minimumDeposit, VETTING_FEE_BPS, MAX_RELAY_FEE_BPS],
    }),
  })
  const initialization = encodeFunctionData({
    abi: build.Entrypoint.abi,
    functionName: 'initialize',
    args: [deployer, accounts.postman.address],
  })

  const uniswap = uniswapArguments(deployer)

  return {
    PoseidonT3: publish(poseidon.PoseidonT3),
    PoseidonT4: publish(poseidon.PoseidonT4),
    WithdrawVerifier: create('WithdrawVerifier'),
    CommitmentVerifier: create('CommitmentVerifier'),
    EntrypointImplementation: create('Entrypoint'),
    Entrypoint: create('EntrypointProxy', addressOf('EntrypointImplementation', deployer), initialization),
    DollarToken: createToken(dollar),
    EuroToken: createToken(euro),
    NativePool: create('NativePool', ...poolArguments),
    DollarPool: create('TokenPool', ...poolArguments, dollar.asset),
    EuroPool: create('TokenPool', ...poolArguments, euro.asset),
    Multicall: create('Multicall'),
    registerNativePool: register(native),
    registerDollarPool: register(dollar),
    registerEuroPool: register(euro),
    Orchestrator: createPublished('Orchestrator'),
    IntentAccount: createPublished('IntentAccount', intents.orchestrator),
    IntentAccountProxy: createPublished('IntentAccountProxy', intents.accountImplementation, zeroAddress),
    IntentSimulator: createPublished('IntentSimulator'),
    NameRegistry: createPublished('NameRegistry'),
    NameResolver: createPublished('NameResolver', names.registry),
    OffchainResolver: createPublished('OffchainResolver', OFFCHAIN_GATEWAY, [accounts.nameSigner.address]),
    registerTopName: callNames('NameRegistry', 'setSubnodeOwner', zeroHash, labelhash(TOP_NAME), deployer),
    registerClientName: registerName(CLIENT_NAME, names.resolver),
    registerOffchainName: registerName(OFFCHAIN_NAME, names.offchainResolver),
    setClientName: callNames('NameResolver', 'setAddr', namehash(CLIENT_NAME), firstClient.address),
    SanctionsList: create('SanctionsList'),
    WrappedNative: { data: wrappedNative.bytecode },
    Collectible: create('TestCollectible'),
    MultiToken: create('TestMultiToken'),
    UniversalResolver: create('UniversalResolver', names.registry),
    PairFactory: createPublished('PairFactory', ...uniswap.PairFactory),
    PoolFactory: createPublished('PoolFactory'),
    PositionManager: createPublished('PositionManager', ...uniswap.PositionManager),
    SwapQuoter: createPublished('SwapQuoter', ...uniswap.SwapQuoter),
    SwapRouter: createPublished('SwapRouter', ...uniswap.SwapRouter),
    TaxedToken: createToken(TAXED, 'TaxedToken'),
    StrictToken: createToken(STRICT, 'StrictToken'),
    PoolSeed: create(
      'PoolSeed',
      addressOf('WrappedNative', deployer),
      addressOf('PairFactory', deployer),
      addressOf('PositionManager', deployer),
    ),
    ...planPools(build, deployer),
    OutputGuard: OUTPUT_GUARD_DEPLOYMENT,
    ...planAcross(published, accounts),
    ...planCash(build, accounts),
    setClientAvatar: callNames('NameResolver', 'setText', namehash(CLIENT_NAME), 'avatar', CLIENT_PICTURE),
  }
}
