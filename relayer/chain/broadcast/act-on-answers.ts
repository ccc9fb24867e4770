import { markRefused } from '../../../db/chain/broadcast/outbound-watch.ts'
import { eventsOf, step } from './nonce-machine.ts'
import { type NonceEvent, type NonceState, purposeOf } from './nonce-terms.ts'
import type { OfferedForm } from './offer-forms.ts'
import type { Outbox, SignedOutbound } from './outbox.ts'
import { giveUpNonce } from './give-up-nonce.ts'
import { replaceAttempt, type PricedAttempt, offerNewForm, type Replaceable } from './replace-attempt.ts'
import { raiseToMinimum, findMinimum } from './compute-fees.ts'

/** A transaction whose form was sent to nodes. */
export interface Offered extends SignedOutbound {
  /** Refusals of unknown meaning so far. */
  refusals: number
  attempts: readonly PricedAttempt[]
}

/**
 * Applies the effects of the nodes' answers; acceptances are stored already. Silence has no effect: the bytes are on disk,
 * and are offered again later. The highest nonce comes first: freed nonces at the end of a line are handed out again instead
 * of being filled.
 */
export async function actOnAnswers(outbox: Outbox, answers: readonly OfferedForm<Offered>[]): Promise<void> {
  for (const answered of answers.toSorted((a, b) => b.outbound.txNonce - a.outbound.txNonce))
    if (answered.sent.status !== 'accepted')
      await apart(outbox, answered.outbound, () => actOnRefusal(outbox, answered))
}

/** Handles one transaction; if that fails, the others are still handled. */
export async function apart(
  { logger }: Outbox,
  { id }: { id: string },
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    logger.error({ err: error, outboundId: id }, 'a transaction could not be dealt with; tried again later')
  }
}

async function actOnRefusal(
  outbox: Outbox,
  { outbound, hash, state, sent }: OfferedForm<Offered>,
): Promise<void> {
  if (sent.status === 'accepted') return
  const { logger, config, pool } = outbox
  const log = logger.child({ outboundId: outbound.id, txNonce: outbound.txNonce, signer: outbound.signer })
  const detail = sent.message
  if (sent.status === 'refused') log.warn({ refusal: sent.refusal, detail }, 'a node refused a transaction')
  else
    log.warn(
      { outcome: sent.status, detail },
      'no node had a verdict; the transaction is offered again later',
    )
  const [reception, verdict] = eventsOf(sent, { ...config, refusals: outbound.refusals })
  if (!reception || !verdict) return
  const { to } = step({ state, purpose: purposeOf(outbound) }, reception)
  await markRefused(pool, hash, {
    message: detail,
    delivery: to === 'refused' ? 'refused' : 'unknown',
    unexplained: verdict === 'unknown' || verdict === 'unknown-too-often' ? 1 : 0,
    lessee: outbox.owner,
  })
  // Cleared until balances are next read, so that the queue does not return to it at once.
  const signer = outbox.signers.get(outbound.signer)
  if (verdict === 'funds' && signer) signer.balance = null
  await actOn(outbox, outbound, { state: to, event: verdict, detail })
}

/** Applies the effect of an event to a transaction that has a nonce. `detail`: the node's own words, where it refused. */
export async function actOn(
  outbox: Outbox,
  outbound: Offered & { pointless?: string | null },
  { state, event, detail }: { state: NonceState; event: NonceEvent; detail: string },
): Promise<void> {
  const { effect } = step({ state, purpose: purposeOf(outbound) }, event)
  if (effect === 'replace' && event === 'below-minimum')
    await meetMinimum(outbox, outbound, { state, message: detail })
  else if (effect === 'replace') await replaceAttempt(outbox, outbound)
  if (effect === 'free-nonce' || effect === 'leave-nonce')
    await giveUpNonce(outbox, outbound, { event, detail })
}

/** Offers in a row, since an unstated minimum is approached by doubling; the next round begins when it is offered again. */
const ROUNDS = 8

/**
 * Offers a transaction that every node finds below its own minimum again, at that minimum, or at twice its price where none
 * is stated. It stops when a node accepts or the cap leaves no room. The accepted tip becomes the chain's least tip, from
 * which later transactions and quotes begin.
 */
async function meetMinimum(
  outbox: Outbox,
  outbound: Replaceable,
  refusal: { state: NonceState; message: string },
): Promise<void> {
  let { state, message } = refusal
  let newest = outbound
  for (let round = 0; round < ROUNDS; round += 1) {
    const minimum = findMinimum(message)
    const offered = await offerNewForm(outbox, newest, (previous, market, cap) =>
      raiseToMinimum(previous, market, {
        minimum,
        maxGasPrice: cap,
        bumpPercent: state === 'refused' ? 0 : outbox.config.bumpPercent,
      }),
    )
    if (!offered) return
    const { sent, attempt } = offered
    if (sent.status === 'accepted') outbox.chain.raiseTip(attempt.maxPriorityFeePerGas)
    if (sent.status !== 'refused' || sent.refusal !== 'below-minimum') return
    if (!sent.isCertain) state = 'unheard'
    message = sent.message
    newest = { ...outbound, attempts: [attempt] }
  }
}
