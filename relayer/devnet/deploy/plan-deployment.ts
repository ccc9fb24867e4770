import { createRequire } from 'node:module'
import { encodeDeployData, encodeFunctionData, type Address, type Hex } from 'viem'
import type { DevnetAccounts } from '../accounts.ts'
import type { ContractBuild, ContractName } from '../build/contract-build.ts'
import { addressOf, computeAddresses, type DeployStep } from './devnet-addresses.ts'
import {
  MAX_RELAY_FEE_BPS,
  TOKENS_PER_CLIENT,
  VETTING_FEE_BPS,
  type DevnetAsset,
  type DevnetPool,
} from './devnet-assets.ts'

/** One transaction of the deployer; without `to` it creates a contract. */
export interface DeployTransaction {
  to?: Address
  data: Hex
}

/** Published contracts at addresses that are the same on every chain. */
interface FixedDeployment {
  proxyAddress: Address
  data: Hex
}

const require = createRequire(import.meta.url)

/** What the deployer sends at each step. */
export function planDeployment(
  build: ContractBuild,
  accounts: DevnetAccounts,
  chainId: number,
): Record<DeployStep, DeployTransaction> {
  const poseidon = require('poseidon-solidity') as Record<'PoseidonT3' | 'PoseidonT4', FixedDeployment>
  const deployer = accounts.deployer.address
  const { entrypoint, pools } = computeAddresses(deployer, chainId)
  const [native, dollar, euro] = pools

  const create = (name: ContractName, ...args: readonly unknown[]): DeployTransaction => ({
    data: encodeDeployData({ abi: build[name].abi, bytecode: build[name].bytecode, args }),
  })
  const publish = ({ proxyAddress, data }: FixedDeployment): DeployTransaction => ({ to: proxyAddress, data })
  const createToken = ({ name, symbol, decimals }: DevnetAsset) => {
    const holders = accounts.clients.map(({ address }) => address)
    return create('TestToken', name, symbol, decimals, holders, TOKENS_PER_CLIENT * 10n ** BigInt(decimals))
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
  }
}
