import { CASH_FAILURES, CASH_PHASES } from '../../relayer/transact/cash-orders/cash-state.ts'
import { z } from 'zod'
import { amount, moment } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'

/** State of a cash-out, in every view of its quote. */
export const offRampProgress = shape('OffRampProgress', 'How a cash-out stands.', {
  phase: described(
    z.enum(CASH_PHASES),
    'depositing: the escrow does not have it. bridging: it is on its way to the escrow’s chain. listed: no buyer has claimed any. matched: buyers hold some and may pay. partially_filled: some was paid out to buyers. completed: nothing is left, and nothing came back. returned: the unsold part came back. failed: the escrow never had it. A payment is never reported before the escrow paid out.',
    { id: 'OffRampPhase' },
  ),
  failureKind: described(
    described(
      z.enum(CASH_FAILURES),
      'deposit_failed: nothing left the account. bridge_refunded: the bridge paid it back. bridge_fallback: the escrow refused it, and it is at the funding address on the escrow’s chain.',
      { id: 'OffRampFailureKind' },
    ).nullable(),
    'Why the escrow never had it; null unless the phase is failed.',
  ),
  depositId: described(z.string().nullable(), 'The escrow’s number of the deposit; null until it has it.'),
  filled: described(amount, 'Paid out to buyers, in the smallest unit of the token in escrow.'),
  releasedByHand: described(
    amount,
    'Of what was paid out: the amount that the seller released without a proof of payment, in the same unit.',
  ),
  remaining: described(
    amount,
    'In the escrow and not held by a buyer, in the same unit; includes amounts whose buyer ran out of time.',
  ),
  outstanding: described(amount, 'Held by buyers who can still pay, in the same unit.'),
  acceptsBuyers: described(
    z.boolean(),
    'Whether the escrow lets further buyers take of it. False before the escrow has it, once it has ended, and once all that was free was withdrawn or the seller stopped the sale: then a buyer who holds some can still pay, and no other buyer comes.',
  ),
  recoverableAt: described(
    moment.nullable(),
    'From when all that is not sold can be withdrawn, by the chain’s clock; null where nothing is left.',
  ),
  buyerPaymentDueAt: described(
    moment.nullable(),
    'Until when the first of the present buyers can pay; null without one.',
  ),
})
