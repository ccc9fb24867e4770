import { parseGwei, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DevnetAccounts } from '../accounts.ts'
import type { ContractBuild } from '../build/contract-build.ts'
import { DEPLOY_ORDER } from './devnet-addresses.ts'
import { planDeployment } from './plan-deployment.ts'
import { loadPublishedContracts } from './published-contracts.ts'

const GAS_LIMIT = 15_000_000n

/**
 * Deploys what the chain does not hold yet, step by step, and so resumes a deployment that was cut short.
 * @returns Whether anything was missing.
 * @throws Error naming the step that failed.
 */
export async function deployContracts(
  client: PublicClient,
  chainId: number,
  accounts: DevnetAccounts,
  loadBuild: () => Promise<ContractBuild>,
): Promise<boolean> {
  const done = await client.getTransactionCount({ address: accounts.deployer.address })
  if (done >= DEPLOY_ORDER.length) return false

  const account = privateKeyToAccount(accounts.deployer.privateKey)
  const [build, published] = await Promise.all([loadBuild(), loadPublishedContracts()])
  const plan = planDeployment({ build, published }, accounts, chainId)
  const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: parseGwei('1') }
  for (const [nonce, step] of [...DEPLOY_ORDER.entries()].slice(done)) {
    const serializedTransaction = await account.signTransaction({
      ...plan[step],
      ...fees,
      chainId,
      nonce,
      gas: GAS_LIMIT,
      type: 'eip1559',
    })
    const hash = await client.sendRawTransaction({ serializedTransaction })
    const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
    if (status !== 'success') throw new Error(`deploying the devnet's contracts failed at ${step} (${hash})`)
  }
  return true
}
