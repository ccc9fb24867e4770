import { createPublicClient, http, type Hash } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { listSigners } from '../../../../relayer/chain/nodes/relayer-config.ts'
import { readOutcomes } from '../../../../relayer/transact/intents/intent-outcome.ts'
import { runConcurrently } from '../../../harness/relay-requests.ts'

/**
 * Sums, from the receipts of all our signers' transactions, the gas of reverted relays and of unpaid sends.
 * @param node The node to read the chain from; by default its first node.
 */
export async function countLostGas(
  { rpcUrls, relayer, sending }: ChainConfig,
  node = rpcUrls[0],
): Promise<{ gas: bigint; hashes: Hash[] }> {
  const client = createPublicClient({ transport: http(node) })
  const orchestrator = sending!.orchestrator
  const signers = new Set(listSigners(relayer!).map(({ key }) => privateKeyToAddress(key).toLowerCase()))
  const head = Number(await client.getBlockNumber({ cacheTime: 0 }))
  const lost: { gas: bigint; hash: Hash }[] = []
  const count = async (number: number) => {
    const { transactions } = await client.getBlock({
      blockNumber: BigInt(number),
      includeTransactions: true,
    })
    for (const transaction of transactions.filter(({ from }) => signers.has(from.toLowerCase()))) {
      const receipt = await client.getTransactionReceipt({ hash: transaction.hash })
      const outcomes = readOutcomes(receipt.logs, orchestrator)
      const isBatch = transaction.to?.toLowerCase() === orchestrator.toLowerCase()
      const isPaid =
        receipt.status === 'success' &&
        (!isBatch || (outcomes.length > 0 && outcomes.every(({ state }) => state === 'succeeded')))
      if (!isPaid) lost.push({ gas: receipt.gasUsed, hash: transaction.hash })
    }
  }
  await runConcurrently(
    Array.from({ length: head }, (_, place) => place + 1),
    16,
    count,
  )
  return { gas: lost.reduce((sum, { gas }) => sum + gas, 0n), hashes: lost.map(({ hash: of }) => of) }
}
