import type { Hex } from 'viem'
import { classifySendError, type SendOutcome, type SendVerdict } from './classify-send-error.ts'
import { findMinimum } from './compute-fees.ts'
import type { NodeRequest } from './list-nodes.ts'

/**
 * `isCertain`: we understand the answer of each node, so that a refused transaction is in no node's pool because of this
 * call.
 */
export type Sent = SendOutcome & { isCertain: boolean }

/**
 * Order in which the most careful of several refusals wins. A lagging or misconfigured node must not pause a signer or
 * abandon a transaction against the word of another node.
 */
const MOST_CAREFUL: readonly SendVerdict[] = [
  'nonce-taken',
  'outbid',
  'below-minimum',
  'busy',
  'market',
  'unknown',
  'funds',
  'invalid',
]

async function sendTo(ask: NodeRequest, raw: Hex): Promise<SendOutcome> {
  try {
    await ask({ method: 'eth_sendRawTransaction', params: [raw] })
    return { status: 'accepted' }
  } catch (error) {
    return classifySendError(error)
  }
}

/**
 * Sends a transaction to the first node that answers: one round trip while the first node is healthy. On a refusal, all
 * others are asked at once; without a verdict, the next one is asked.
 */
export async function sendToFirst(nodes: readonly NodeRequest[], raw: Hex): Promise<Sent> {
  const outcomes: SendOutcome[] = []
  for (const [place, ask] of nodes.entries()) {
    const outcome = await sendTo(ask, raw)
    outcomes.push(outcome)
    if (outcome.status === 'accepted') break
    if (outcome.status !== 'refused') continue
    outcomes.push(...(await Promise.all(nodes.slice(place + 1).map((other) => sendTo(other, raw)))))
    break
  }
  return weigh(outcomes)
}

/** Sends a transaction to every node at once. */
export async function sendToAll(nodes: readonly NodeRequest[], raw: Hex): Promise<Sent> {
  return weigh(await Promise.all(nodes.map((ask) => sendTo(ask, raw))))
}

/** Combines the answers of several nodes: an acceptance outweighs any refusals, and a refusal outweighs silence. */
export function weigh(outcomes: readonly SendOutcome[]): Sent {
  const refused = outcomes
    .filter((outcome) => outcome.status === 'refused')
    .toSorted(
      (a, b) =>
        MOST_CAREFUL.indexOf(a.refusal) - MOST_CAREFUL.indexOf(b.refusal) || minimumOf(a) - minimumOf(b),
    )
  const outcome: SendOutcome = outcomes.find(({ status }) => status === 'accepted') ??
    refused[0] ??
    outcomes.at(-1) ?? { status: 'unreachable', message: 'no node is configured' }
  return { ...outcome, isCertain: outcomes.every(isUnderstood) }
}

/** Of several minima the lowest counts: one node that accepts the transaction suffices. */
const minimumOf = ({ message }: { message: string }) => Number(findMinimum(message)?.wei ?? 0n)

/** An unrecognised refusal may come from a node that accepted it. */
const isUnderstood = (outcome: SendOutcome) =>
  outcome.status !== 'unclear' && !(outcome.status === 'refused' && outcome.refusal === 'unknown')
