import { actOnAnswers } from './act-on-answers.ts'
import { assignQueued, type Assigned } from './assign-queued.ts'
import { computeFees, meetsMarket } from './compute-fees.ts'
import { offerFirst } from './offer-forms.ts'
import { hasDuty, type Duty } from '../nodes/list-signers.ts'
import { readMarket, type Outbox, type Signer } from './outbox.ts'

/**
 * Assigns the queued transactions of these duties and sends them. Sending continues after the promise resolves. It is passed
 * to `track`, so that the next transactions need not wait for these answers.
 */
export async function dispatchQueued(
  outbox: Outbox,
  duties: ReadonlySet<Duty>,
  track: (sending: Promise<void>) => void,
): Promise<void> {
  const leased = [...outbox.signers.values()].filter(
    (signer) => signer.leased && [...duties].some((duty) => hasDuty(signer, duty)),
  )
  // One after the other: transactions that wait for signers of relays delay no send, and the other way round.
  for (const duty of new Set(leased.map((signer) => signer.duty))) await dispatchOf(outbox, duty, track)
}

async function dispatchOf(
  outbox: Outbox,
  duty: Signer['duty'],
  track: (sending: Promise<void>) => void,
): Promise<void> {
  for (;;) {
    const market = readMarket(outbox)
    if (!market) return
    const fees = computeFees(market, outbox.chain.config.relayer.maxGasPrice)
    // Above the cap nothing would be mined: the queue waits without using up nonces.
    if (!meetsMarket(fees, market)) return
    const { assigned, hasMore } = await assignQueued(outbox, fees, duty)
    for (const { outbound } of assigned) outbox.simulatedOrigins.forget(outbound.id)
    if (assigned.length > 0) track(outbox.firstOffers(assigned))
    if (!hasMore) return
  }
}

/** Sends them to nodes in one JSON-RPC batch, in nonce order per signer. */
export async function offerAssigned(outbox: Outbox, assigned: readonly Assigned[]): Promise<void> {
  try {
    const offers = assigned.map(({ outbound, assignment }) => ({
      ...outbound,
      refusals: 0,
      attempts: [assignment.attempt],
    }))
    await actOnAnswers(outbox, await offerFirst(outbox, offers))
  } finally {
    for (const { outbound } of assigned) outbox.inHand.delete(outbound.id)
  }
}
