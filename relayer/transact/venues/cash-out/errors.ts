import { z } from 'zod'
import { defineError } from '../../../service-error.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'

/** No venue sells this token there for that currency by that method. */
export const cashOutUnsupported = defineError({
  code: 'CASH_OUT_UNSUPPORTED',
  kind: 'bad-request',
  meaning:
    'No venue sells that token on that chain for that currency by that payment method; `offramp-preview` lists what is sold, and for what.',
  retry: 'With a token, a method and a currency that are offered; swap into the token first.',
  fundsState: UNTOUCHED,
  example: 'venmo does not pay EUR; it pays USD',
})

/** The venue's curator does not accept the payee. */
export const payeeRefused = defineError({
  code: 'PAYEE_REFUSED',
  kind: 'bad-request',
  about: 'payee',
  meaning: 'The venue does not pay this payee by that method: it knows no such handle, or refuses it.',
  retry: 'With another payee.',
  fundsState: UNTOUCHED,
  message: 'The venue does not accept this payee',
})

/** The venue has no rate now, or does not confirm the payee. */
export const cashOutUnavailable = defineError({
  code: 'CASH_OUT_UNAVAILABLE',
  kind: 'bad-gateway',
  meaning: 'The venue has no price now, or does not say whether it pays the payee.',
  retry: 'Later.',
  fundsState: UNTOUCHED,
  message: 'The venue cannot be asked now',
})

/** The amount is below the venue's minimum. */
export const cashOutTooSmall = defineError({
  code: 'CASH_OUT_TOO_SMALL',
  kind: 'bad-request',
  about: 'amount',
  meaning: 'The amount is below the least that the venue sells, `minimum`.',
  retry: 'With a larger amount.',
  fundsState: UNTOUCHED,
  message: 'The amount is below the least that the venue sells',
  members: z.object({
    minimum: z.bigint().meta({
      description: 'The least that is sold, in the smallest unit of the token in escrow.',
    }),
  }),
})

/** Errors for a cash-out that cannot be quoted or refreshed. */
export const CASH_OUT_ERRORS = [
  cashOutUnsupported,
  payeeRefused,
  cashOutUnavailable,
  cashOutTooSmall,
] as const
