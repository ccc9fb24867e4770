import { z } from 'zod'
import { defineError } from '../../../service-error.ts'

const UNTOUCHED = 'Nothing was sent; the deposit is as it was.'

/** The account has no such deposit. */
export const cashOutNotFound = defineError({ kind: 'not-found', message: 'There is no such cash-out' })

/** No part of the deposit can be taken back now. */
export const nothingToWithdraw = defineError({
  code: 'NOTHING_TO_WITHDRAW',
  kind: 'bad-request',
  about: 'depositId',
  meaning:
    'The escrow has nothing of this deposit that can be withdrawn now: it was sold or withdrawn, or buyers hold it. It can be from `offRamp.recoverableAt` on.',
  retry: 'If buyers hold it: once their time has run out.',
  fundsState: UNTOUCHED,
  message: 'Nothing of this deposit can be withdrawn now',
  members: z.object({
    held: z.bigint().meta({ description: 'Amount that buyers hold, in the smallest unit.' }),
  }),
})

/** The amount exceeds what can be taken back now. */
export const withdrawalTooLarge = defineError({
  code: 'WITHDRAWAL_TOO_LARGE',
  kind: 'bad-request',
  about: 'amount',
  meaning: 'Only a smaller amount can be withdrawn now: `available`.',
  retry: 'With a smaller amount, or without one for all of it.',
  fundsState: UNTOUCHED,
  message: 'Less than that can be withdrawn now',
  members: z.object({
    available: z.bigint().meta({ description: 'Amount that can be withdrawn now, in the smallest unit.' }),
    held: z.bigint().meta({ description: 'Amount that buyers hold, in the smallest unit.' }),
  }),
})

/** The rest would be too small for any buyer, and the escrow would end the sale. */
export const withdrawalLeavesTooLittle = defineError({
  code: 'WITHDRAWAL_LEAVES_TOO_LITTLE',
  kind: 'bad-request',
  about: 'amount',
  meaning:
    'The rest in the escrow would be below the smallest purchase, which would end the sale silently; `leastLeft` must stay.',
  retry: 'Without an amount for all of it, or with one that leaves at least `leastLeft`.',
  fundsState: UNTOUCHED,
  message: 'Too little would remain for a buyer: withdraw all, or leave at least the smallest purchase',
  members: z.object({
    leastLeft: z
      .bigint()
      .meta({ description: 'Amount that must stay for the sale to continue, in the smallest unit.' }),
  }),
})

/** A pending quote already takes the deposit back. */
export const withdrawalUnderWay = defineError({
  code: 'WITHDRAWAL_UNDER_WAY',
  kind: 'bad-request',
  about: 'depositId',
  meaning: 'The quote `quoteId` takes this deposit back.',
  retry: 'Submit or unlock that quote, or wait for its end.',
  fundsState: 'Another quote takes the deposit back; nothing was added to it.',
  message: 'Another quote takes this deposit back: submit it, unlock it, or wait for its end',
  members: z.object({
    quoteId: z.uuid().optional().meta({ description: 'The quote that takes it back.' }),
  }),
})

/** Errors for a deposit that cannot be taken back, at the quote and at its refresh. */
export const CASH_WITHDRAWAL_ERRORS = [
  cashOutNotFound,
  nothingToWithdraw,
  withdrawalTooLarge,
  withdrawalLeavesTooLittle,
  withdrawalUnderWay,
] as const
