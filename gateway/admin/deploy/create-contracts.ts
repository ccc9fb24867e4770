import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, createWalletClient, formatEther, formatGwei, http, size } from 'viem'
import type { Hex, PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainConfig } from '../../../relayer/chain/nodes/config.ts'
import { NO_ORACLE } from '../doctor/check-chain.ts'
import { readL1Fee } from '../../../relayer/chain/nodes/extra-fees.ts'
import { CREATE2_DEPLOYER } from '../../../relayer/transact/venues/swap/kyberswap/kyberswap-venue.ts'
import { AdminError } from '../command.ts'
import { codeAt, createAsk } from '../doctor/ask-chain.ts'
import { openChart } from '../doctor/open-chart.ts'
import { checkSending } from '../doctor/check-sending.ts'
import type { ContractPlan, PlannedContract } from './plan-contracts.ts'

/** The part of a chain's settings that a deployment needs. */
export interface DeploymentChain {
  chainId: number
  rpcUrls: readonly string[]
  nativeSymbol: string
  l1Fee?: ChainConfig['l1Fee']
  /** Wei per gas. */
  maxGasPrice?: bigint
  /** Wei per gas. */
  minTip?: bigint
}

/** The code of the deployer that is at the same address on most chains (github.com/Arachnid/deterministic-deployment-proxy). */
const DEPLOYER_CODE =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
/** Percent of the estimate; what a creation needs does not vary. */
const GAS_LIMIT_PERCENT = 110n
/** Another node may show a block some seconds later. */
const LATE = { attempts: 30, everyMs: 2_000 }

/** A contract, with the gas that its creation takes; null where it exists. */
export interface PricedContract extends PlannedContract {
  gas: bigint | null
}

/** The creation of all missing contracts. Amounts in wei. */
export interface Estimate {
  contracts: readonly PricedContract[]
  gas: bigint
  gasPrice: bigint
  /** Additional charge of OP-stack chains. */
  l1Fee: bigint
}

/**
 * Prices the creation of every contract that the chain lacks.
 * @throws AdminError where the node is of another chain, or the chain lacks the deployer.
 */
export async function estimateContracts(chain: DeploymentChain, plan: ContractPlan): Promise<Estimate> {
  const client = openClient(chain)
  const chainId = await client.getChainId()
  if (chainId !== chain.chainId)
    throw new AdminError(`The node serves chain ${chainId}, not ${chain.chainId}`)
  if ((await client.getCode({ address: CREATE2_DEPLOYER })) !== DEPLOYER_CODE)
    throw new AdminError(
      `The chain has no deployer at ${CREATE2_DEPLOYER}.\n` +
        'Create it by the signed transaction of https://github.com/Arachnid/deterministic-deployment-proxy.',
    )
  const contracts = await Promise.all(
    Object.values(plan).map(async (contract: PlannedContract) => ({
      ...contract,
      gas: (await client.getCode({ address: contract.address })) ? null : await estimateGas(client, contract),
    })),
  )
  const missing = contracts.filter(({ gas }) => gas !== null)
  const [gasPrice, l1Fees] = await Promise.all([
    client.getGasPrice(),
    Promise.all(chain.l1Fee ? missing.map(({ data }) => readL1Fee(client, size(data))) : []).catch(
      (cause: unknown) => {
        throw new AdminError(`The chain ${NO_ORACLE}`, { cause })
      },
    ),
  ])
  return {
    contracts,
    gas: missing.reduce((sum, { gas }) => sum + (gas ?? 0n), 0n),
    gasPrice,
    l1Fee: l1Fees.reduce((sum, fee) => sum + fee, 0n),
  }
}

const openClient = ({ rpcUrls }: DeploymentChain): PublicClient =>
  createPublicClient({ transport: http(rpcUrls[0]), cacheTime: 0 })

const estimateGas = async (client: PublicClient, { to, data }: PlannedContract): Promise<bigint> =>
  ((await client.estimateGas({ to, data })) * GAS_LIMIT_PERCENT) / 100n

/**
 * Creates the missing contracts one after the other. A second run goes on where the first was cut short.
 * @throws AdminError where gas or funds forbid it, or a transaction fails.
 */
export async function createContracts(
  chain: DeploymentChain,
  { contracts, gas, gasPrice, l1Fee }: Estimate,
  key: Hex,
  print: (line: string) => void,
): Promise<void> {
  const client = openClient(chain)
  const account = privateKeyToAccount(key)
  const { maxGasPrice, minTip = 0n, nativeSymbol, rpcUrls } = chain
  if (maxGasPrice !== undefined && gasPrice > maxGasPrice)
    throw new AdminError(
      `Gas costs ${formatGwei(gasPrice)} gwei, more than \`relayer.maxGasPrice\`: wait, or raise it`,
    )
  const balance = await client.getBalance(account)
  if (balance < gas * gasPrice + l1Fee)
    throw new AdminError(
      `The deployer ${account.address} has ${formatEther(balance)} ${nativeSymbol}: send it more`,
    )
  const wallet = createWalletClient({ account, transport: http(rpcUrls[0]) })
  for (const contract of contracts) {
    if (contract.gas === null) continue
    const fees = await client.estimateFeesPerGas()
    const tip = fees.maxPriorityFeePerGas > minTip ? fees.maxPriorityFeePerGas : minTip
    const hash = await wallet.sendTransaction({
      chain: null,
      to: contract.to,
      data: contract.data,
      gas: contract.gas,
      maxPriorityFeePerGas: tip,
      maxFeePerGas: fees.maxFeePerGas - fees.maxPriorityFeePerGas + tip,
    })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new AdminError(`${contract.name} was not created: ${hash} failed`)
    print(`created ${contract.name} (${hash})`)
  }
}

/**
 * Checks by each node of the chain that all contracts exist and belong together. The addresses follow from the code, so what is
 * there was made from it.
 * @throws AdminError with what is wrong.
 */
export async function verifyContracts(
  { chainId, rpcUrls }: DeploymentChain,
  plan: ContractPlan,
): Promise<void> {
  const contracts: PlannedContract[] = Object.values(plan)
  for (const url of rpcUrls) {
    const { host } = new URL(url)
    const ask = createAsk(url)
    const findMissing = async () => {
      const codes = await ask(contracts.map(({ address }) => codeAt(address)))
      return contracts.filter((_, place) => typeof codes[place] !== 'string' || codes[place] === '0x')
    }
    let missing = await findMissing()
    for (let attempt = 1; missing.length > 0 && attempt < LATE.attempts; attempt += 1) {
      await sleep(LATE.everyMs)
      missing = await findMissing()
    }
    if (missing.length > 0)
      throw new AdminError(`The node ${host} shows no ${missing.map(({ name }) => name).join(', ')}`)
    const chart = openChart(host)
    await checkSending(chainId, sendingAddressesOf(plan), ask, chart)
    const wrong = chart.entries.filter(({ level }) => level === 'error')
    if (wrong.length > 0)
      throw new AdminError(wrong.map(({ about, found }) => `${about}: ${found}`).join('\n'))
  }
}

/** The addresses as the member `sending` of a chain names them. */
export const sendingAddressesOf = ({
  orchestrator,
  accountProxy,
  accountImplementation,
  simulator,
}: ContractPlan) => ({
  orchestrator: orchestrator.address,
  accountProxy: accountProxy.address,
  accountImplementation: accountImplementation.address,
  simulator: simulator.address,
})
