import { numberToHex, parseGwei, type Hex, type PublicClient } from 'viem'
import type { DevnetAccounts } from '../accounts.ts'
import type { ContractBuild } from '../build/contract-build.ts'
import { DEPLOY_ORDER } from './devnet-addresses.ts'
import { planDeployment } from './plan-deployment.ts'
import { loadPublishedContracts } from './published-contracts.ts'

const GAS_LIMIT = 15_000_000
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: parseGwei('1') }

/**
 * Deploys the missing contracts, step by step, and so resumes a deployment that was cut short.
 * @returns Whether anything was missing.
 * @throws Error naming the step that failed.
 */
export async function deployContracts(
  client: PublicClient,
  chainId: number,
  accounts: DevnetAccounts,
  loadBuild: () => Promise<ContractBuild>,
): Promise<boolean> {
  const { address: from } = accounts.deployer
  const done = await client.getTransactionCount({ address: from })
  if (done >= DEPLOY_ORDER.length) return false

  const [build, published] = await Promise.all([loadBuild(), loadPublishedContracts()])
  const plan = planDeployment({ build, published }, accounts, chainId)
  for (const [nonce, step] of [...DEPLOY_ORDER.entries()].slice(done)) {
    const { to, data, value = 0n } = plan[step]
    const transaction = {
      from,
      ...(to && { to }),
      data,
      value: numberToHex(value),
      nonce: numberToHex(nonce),
      gas: numberToHex(GAS_LIMIT),
      maxFeePerGas: numberToHex(FEES.maxFeePerGas),
      maxPriorityFeePerGas: numberToHex(FEES.maxPriorityFeePerGas),
    }
    const { status, transactionHash } = await sendAndWait(client, transaction).catch((cause: unknown) => {
      throw new Error(`deploying the devnet's contracts failed at ${step}`, { cause })
    })
    if (status !== '0x1')
      throw new Error(`deploying the devnet's contracts failed at ${step} (${transactionHash})`)
  }
  return true
}

/** The chain knows the deployer's key, signs sooner than we do, and answers with the receipt. */
function sendAndWait(
  client: PublicClient,
  transaction: Record<string, Hex>,
): Promise<{ status: Hex; transactionHash: Hex }> {
  return client.request({ method: 'eth_sendTransactionSync', params: [transaction] } as never)
}
