// SPDX-License-Identifier: MIT
// Reads the chain for a page, from the node that the wallet chose.
import { isAddressEqual, pad, toEventSelector, type Address, type Hex, type RpcLog } from 'viem'
import { ProviderError } from './provider-error.ts'

/** Questions that an app may ask the node; none reveals whose the page is. */
export const READS =
  `eth_blockNumber eth_call eth_estimateGas eth_feeHistory eth_gasPrice eth_getBalance eth_getBlockByHash
  eth_getBlockByNumber eth_getCode eth_getLogs eth_getStorageAt eth_getTransactionByHash eth_getTransactionCount
  eth_getTransactionReceipt eth_maxPriorityFeePerGas net_version`.split(/\s+/)
/** By the orchestrator, at the end of each intent. */
const EXECUTED = toEventSelector(
  'event IntentExecuted(address indexed eoa, uint256 indexed nonce, bool incremented, bytes4 err)',
)

/** The members that EIP-5792 names. */
export interface BatchReceipt {
  logs: Pick<RpcLog, 'address' | 'data' | 'topics'>[]
  status: Hex
  blockHash: Hex
  blockNumber: Hex
  gasUsed: Hex
  transactionHash: Hex
}

/** One question to a node. @throws ProviderError with the node's code and data, such as those of a revert. */
export async function askNode<Answer>(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
): Promise<Answer> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as {
    result?: Answer
    error?: { code: number; message: string; data?: unknown }
  }
  if (error) throw new ProviderError(error.code, error.message, undefined, error.data)
  return result as Answer
}

/**
 * Reads the receipt of a batch; null before it is mined. Its transaction may carry intents of other accounts, so only
 * the logs of this address's intent are the batch's. They lie between the event that ended the intent before and its
 * own.
 */
export async function readBatchReceipt(
  { rpcUrl, orchestrator }: { rpcUrl: string; orchestrator: Address },
  hash: Hex,
  from: Address,
): Promise<BatchReceipt | null> {
  const receipt = await askNode<BatchReceipt | null>(rpcUrl, 'eth_getTransactionReceipt', [hash])
  if (!receipt) return null
  const { logs, status, blockHash, blockNumber, gasUsed, transactionHash } = receipt
  const ends = logs.flatMap(({ address, topics }, place) =>
    isAddressEqual(address, orchestrator) && topics[0] === EXECUTED ? [place] : [],
  )
  const own = ends.findIndex((place) => logs[place]?.topics[1] === pad(from).toLowerCase())
  const batch = own < 0 ? [] : logs.slice((ends[own - 1] ?? -1) + 1, ends[own])
  return {
    logs: batch.map(({ address, data, topics }) => ({ address, data, topics })),
    status,
    blockHash,
    blockNumber,
    gasUsed,
    transactionHash,
  }
}
