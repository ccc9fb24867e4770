import type { Address } from 'viem'
import type { NodeRequest } from './list-nodes.ts'

/** Asks all nodes at once; returns the answers that arrive in time, in no order. */
export const askAll = (
  nodes: readonly NodeRequest[],
  call: { method: string; params: readonly unknown[] },
): Promise<unknown[]> => gatherAnswers(nodes.map((ask) => ask(call)))

/** Transaction count of an account, as the nodes report it. */
export interface AgreedCount {
  /** At least two nodes count this many, or more. */
  atLeast: number
  /** At least two nodes count this many, or fewer. */
  atMost: number
  /** Number of nodes that answered. */
  voices: number
}

/**
 * Asks all nodes for an account's count. One node may lag or lie, so a claim counts only when a second node confirms it. A
 * single answer counts too; `voices` is then 1.
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
 * True if the account is past a nonce, so that our transaction under it can be given up. A mistake could have it mined
 * twice, so on a chain with several nodes two must agree.
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

/** Milliseconds after which a node has no vote, because others wait for the decision. */
const DECIDE_WITHIN_MS = 2_000

/** Returns the answers of several nodes that come in time, in no order; failures are omitted. */
export async function gatherAnswers<Answer>(asked: readonly Promise<Answer>[]): Promise<Answer[]> {
  const answers: Answer[] = []
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, DECIDE_WITHIN_MS)
  const all = asked.map((one) =>
    one.then(
      (answer) => void answers.push(answer),
      () => undefined,
    ),
  )
  await Promise.race([Promise.all(all), late])
  clearTimeout(timer)
  return [...answers]
}
