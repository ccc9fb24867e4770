import weth from 'canonical-weth/build/contracts/WETH9.json' with { type: 'json' }
import {
  encodeDeployData,
  encodeFunctionData,
  parseEther,
  type Abi,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { createProvingPool } from '../../../../proving/create-proving-pool.ts'
import type { SimulateJob, SimulateOutcome } from '../../../../proving/simulate-job.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { startTestDevnet } from '../../../harness/start-test-devnet.ts'
import { at } from '../../../vectors/relay-story.ts'
import { compileContracts, type Compiled } from './compile-contracts.ts'

export interface Contract extends Compiled {
  address: Address
}

export interface Call {
  to: Address | null
  data: Hex
  value: bigint
  gas: bigint
}

/** A devnet chain with the test's contracts on it, and a proving pool that simulates on it. */
export async function startEvmChain(deployed: { hasVectorDeposits?: boolean } = {}) {
  const {
    devnet,
    chain,
    [Symbol.asyncDispose]: close,
  } = await startTestDevnet({ deterministic: true }, deployed)
  const pool = await createProvingPool({ threads: 1, commitmentKeys: [] })
  const rpcUrl = at(at(devnet.chains, 0).rpcUrls, 0)
  const wallet = connectWallet({ chainId: 31_337, rpcUrl }, at(deriveAccounts().clients, 3).privateKey)
  wallet.reader.pollingInterval = 10
  const { sender, reader, account } = wallet
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1n }
  const builds: Record<string, Compiled> = {
    ...compileContracts('tokens.sol', 'machine.sol'),
    WETH9: { abi: weth.abi as Abi, bytecode: weth.bytecode as Hex },
  }

  async function send(
    call: Call,
    options: { authorizationList?: Parameters<typeof sender.sendTransaction>[0]['authorizationList'] } = {},
  ): Promise<TransactionReceipt> {
    const { to, ...rest } = call
    const hash = await sender.sendTransaction({ ...rest, ...(to && { to }), ...fees, ...options } as never)
    return reader.waitForTransactionReceipt({ hash })
  }

  async function deploy(name: string, args: readonly unknown[] = [], value = 0n): Promise<Contract> {
    const build = builds[name]
    if (!build) throw new Error(`there is no contract ${name}`)
    const data = encodeDeployData({ ...build, args })
    const { contractAddress } = await send({ to: null, data, value, gas: 5_000_000n })
    if (!contractAddress) throw new Error(`${name} was not deployed`)
    return { ...build, address: contractAddress }
  }

  return {
    devnet,
    chain: at(devnet.chains, 0),
    described: chain,
    pool,
    rpcUrl,
    account,
    reader,
    sender,
    builds,
    send,
    deploy,
    simulate(call: Call, changes: Partial<SimulateJob> = {}): Promise<SimulateOutcome> {
      const errorAbi = builds['OddToken']?.abi ?? []
      const job: SimulateJob = {
        rpcUrls: [rpcUrl],
        call: { from: account.address, ...call },
        errorAbi,
        timeoutMs: 5_000,
        prefer: 'evm',
      }
      return pool.simulate({ ...job, ...changes })
    },
    async close() {
      await pool.close()
      await close()
    },
  }
}

export type EvmChain = Awaited<ReturnType<typeof startEvmChain>>

/** A call of a function. */
export function callOf(
  { abi, address }: Contract,
  functionName: string,
  args: readonly unknown[] = [],
  { value = 0n, gas = 1_000_000n }: { value?: bigint; gas?: bigint } = {},
): Call {
  return { to: address, data: encodeFunctionData({ abi, functionName, args }), value, gas }
}

export const ONE = parseEther('1')
