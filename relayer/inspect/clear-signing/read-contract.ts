import {
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  ExecutionRevertedError,
  type Abi,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'
import { orAborted } from '../../concurrency/run-contained.ts'
import { bindingUnavailable } from './errors.ts'

const TIMEOUT_MS = 5_000
/** Enough for a getter behind two proxies, and cheap for a node. */
const GAS = 200_000n

/**
 * Waits for a node.
 *
 * @throws ServiceError `bad-gateway` if it fails or takes longer than 5 s.
 */
export async function demandAnswer<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await orAborted(work, AbortSignal.timeout(TIMEOUT_MS))
  } catch (cause) {
    throw bindingUnavailable({ cause })
  }
}

/**
 * Calls a contract at the newest block; null if it reverts or its answer does not fit the ABI.
 *
 * @throws viem's error if the node does not answer.
 */
export async function askContract(
  client: PublicClient,
  to: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  const asked = encodeFunctionData({ abi, functionName, args })
  const data = await callContract(client, to, asked)
  if (data === null) return null
  try {
    return decodeFunctionResult({ abi, functionName, data })
  } catch {
    return null
  }
}

async function callContract(client: PublicClient, to: Address, data: Hex): Promise<Hex | null> {
  try {
    return (await client.call({ to, data, gas: GAS, blockTag: 'latest' })).data ?? null
  } catch (error) {
    const reverted =
      error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) !== null
    if (reverted) return null
    throw error
  }
}
