import { assignQueued, type Assigned } from './assign-queued.ts'
import { bookAccepted } from './book-accepted.ts'
import { computeFees, meetsMarket } from './compute-fees.ts'
import { handleRefusal } from './handle-refusal.ts'
import { readMarket, type Outbox } from './outbox.ts'
import { sendToFirst } from './send-raw.ts'

/**
 * Assigns what is queued and sends it. Sending goes on after the promise resolves; it is handed to `track`, so that the
 * next transactions need not wait for the answers to these.
 */
export async function dispatchQueued(outbox: Outbox, track: (sending: Promise<void>) => void): Promise<void> {
  for (;;) {
    const market = readMarket(outbox)
    if (!market || ![...outbox.signers.values()].some(({ leased }) => leased)) return
    const fees = computeFees(market, outbox.chain.config.relayer.maxGasPrice)
    // Above the cap nothing would be mined: the queue waits without using up nonces.
    if (!meetsMarket(fees, market)) return
    const { assigned, hasMore } = await assignQueued(outbox, fees)
    for (const { outbound } of assigned) outbox.simulatedOrigins.forget(outbound.id)
    if (assigned.length > 0) track(sendAssigned(outbox, assigned))
    if (!hasMore) return
  }
}

/** Sends them in one JSON-RPC batch, in nonce order per signer. */
async function sendAssigned(outbox: Outbox, assigned: readonly Assigned[]): Promise<void> {
  try {
    const answers = await Promise.all(
      assigned.map(async (one) => ({
        ...one,
        sent: await sendToFirst(outbox.nodes, one.assignment.attempt.raw),
      })),
    )
    for (const { outbound } of answers) outbox.handedOverAt.set(outbound.id, outbox.now())
    await bookAccepted(
      outbox,
      answers
        .filter(({ sent }) => sent.status === 'accepted')
        .map(({ outbound, assignment }) => ({ outbound, hash: assignment.attempt.hash, isNews: true })),
    )
    // Highest nonce first: freed nonces at the end of a line roll back instead of needing a filler.
    const refused = answers.filter(({ sent }) => sent.status !== 'accepted')
    for (const { outbound, assignment, sent } of refused.sort(
      (a, b) => b.outbound.txNonce - a.outbound.txNonce,
    ))
      await handleRefusal(outbox, { ...outbound, refusals: 0, attempts: [assignment.attempt] }, sent, {
        isFirstSend: true,
      })
  } finally {
    for (const { outbound } of assigned) outbox.inHand.delete(outbound.id)
  }
}
