import type { NonceState } from './nonce-terms.ts'
import { raiseToMinimum } from './compute-fees.ts'
import { findMinimum } from './find-minimum.ts'
import type { Outbox } from './outbox.ts'
import { offerNewForm, type Replaceable } from './replace-attempt.ts'

/** Offers in a row, since an unstated minimum is approached by doubling; the next round begins when it is offered again. */
const ROUNDS = 8

/**
 * Offers a transaction that every node finds below its own minimum again, at that minimum, or at twice its price where none
 * is stated. It stops when a node accepts or the cap leaves no room. The accepted tip becomes the chain's least tip, from
 * which later transactions and quotes begin.
 */
export async function meetMinimum(
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
