import type { Hex } from 'viem'
import { classifySendError, type SendOutcome, type SendVerdict } from './classify-send-error.ts'
import { findMinimum } from './find-minimum.ts'
import type { NodeRequest } from './list-nodes.ts'

/** `isCertain`: we understand what each node said, so that a refused transaction is in no node's pool because of this call. */
export type Sent = SendOutcome & { isCertain: boolean }

/**
 * Which of several refusals counts: the one that is followed by the most care. A node that lags, or is set up oddly, must
 * not have a signer paused or a transaction abandoned that another node says something else of.
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
 * Gives a transaction to the first node that answers: one round trip while the first node is well. Where it refuses, all
 * others are asked at once; where it has no verdict, the next one is.
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

/** Gives a transaction to every node at once. */
export async function sendToAll(nodes: readonly NodeRequest[], raw: Hex): Promise<Sent> {
  return weigh(await Promise.all(nodes.map((ask) => sendTo(ask, raw))))
}

/** What several nodes say together: one that takes it outweighs any that refuse, and a refusal outweighs silence. */
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

/** Of several minima the lowest counts: one node that takes the transaction suffices. */
const minimumOf = ({ message }: { message: string }) => Number(findMinimum(message)?.wei ?? 0n)

/** A refusal that we have not met before may come from a node that took it. */
const isUnderstood = (outcome: SendOutcome) =>
  outcome.status !== 'unclear' && !(outcome.status === 'refused' && outcome.refusal === 'unknown')
