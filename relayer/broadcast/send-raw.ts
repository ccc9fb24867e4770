import type { Hex } from 'viem'
import { classifySendError, type SendOutcome } from './classify-send-error.ts'
import type { NodeRequest } from './list-nodes.ts'

/** `isCertain`: every word of the outcome is known, so that a refused transaction is in no node's pool because of this call. */
export type Sent = SendOutcome & { isCertain: boolean }

async function sendTo(ask: NodeRequest, raw: Hex): Promise<SendOutcome> {
  try {
    await ask({ method: 'eth_sendRawTransaction', params: [raw] })
    return { status: 'accepted' }
  } catch (error) {
    return classifySendError(error)
  }
}

/**
 * Gives a transaction to the first node that has a verdict on it: one round trip while the first node is well. A
 * refusal is a verdict; a timeout or a dead connection is not, and the next node is asked.
 */
export async function sendToFirst(nodes: readonly NodeRequest[], raw: Hex): Promise<Sent> {
  let isCertain = true
  let outcome: SendOutcome = { status: 'unreachable', message: 'no node is configured' }
  for (const ask of nodes) {
    outcome = await sendTo(ask, raw)
    if (outcome.status === 'accepted' || outcome.status === 'refused') break
    if (outcome.status === 'unclear') isCertain = false
  }
  return { ...outcome, isCertain }
}

/** Gives a transaction to every node at once. One that takes it outweighs any that refuse, and a refusal outweighs silence. */
export async function sendToAll(nodes: readonly NodeRequest[], raw: Hex): Promise<Sent> {
  const outcomes = await Promise.all(nodes.map((ask) => sendTo(ask, raw)))
  const outcome = outcomes.find(({ status }) => status === 'accepted') ??
    outcomes.find(({ status }) => status === 'refused') ??
    outcomes[0] ?? { status: 'unreachable', message: 'no node is configured' }
  return { ...outcome, isCertain: outcomes.every(({ status }) => status !== 'unclear') }
}
