import type { Address } from 'viem'
import { gatherAnswers } from './gather-answers.ts'
import type { NodeRequest } from './list-nodes.ts'

/** The answers of the nodes that answer in time, in no order. Asks all of them at once. */
export const askAll = (
  nodes: readonly NodeRequest[],
  call: { method: string; params: readonly unknown[] },
): Promise<unknown[]> => gatherAnswers(nodes.map((ask) => ask(call)))

/** How many transactions of an account nodes count. */
export interface AgreedCount {
  /** What a second node confirms: two count this many, or more. */
  atLeast: number
  /** What a second node confirms: two count this many, or fewer. */
  atMost: number
  /** How many nodes answered. */
  voices: number
}

/**
 * Asks all nodes for an account's count. One node may lag and one may lie, so a claim counts when a second node confirms
 * it; the word of a node that answers alone counts, and `voices` says that it did.
 * @returns Null when no node answers.
 */
export async function agreeOnTxNonce(
  nodes: readonly NodeRequest[],
  address: Address,
  block: bigint | 'latest' | 'pending',
): Promise<AgreedCount | null> {
  const tag = typeof block === 'bigint' ? `0x${block.toString(16)}` : block
  const answers = await askAll(nodes, { method: 'eth_getTransactionCount', params: [address, tag] })
  const counts = answers.map(Number).toSorted((a, b) => a - b)
  const [atLeast, atMost] = [counts.at(-2) ?? counts[0], counts[1] ?? counts[0]]
  return atLeast === undefined || atMost === undefined ? null : { atLeast, atMost, voices: counts.length }
}

/**
 * Whether the account is past a nonce, so that a transaction of ours under it can be given up. A mistake could have it
 * mined twice: where the chain has several nodes, two have to say so.
 */
export async function isNonceTaken(
  nodes: readonly NodeRequest[],
  address: Address,
  txNonce: number,
  block: bigint | 'latest',
): Promise<{ taken: boolean; counted: number }> {
  const agreed = await agreeOnTxNonce(nodes, address, block)
  const counted = agreed && agreed.voices >= Math.min(2, nodes.length) ? agreed.atLeast : 0
  return { taken: counted > txNonce, counted }
}
