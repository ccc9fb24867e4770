import { z } from 'zod'
import { defineError } from '../../../service-error.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'

const limit = (what: string) =>
  z
    .bigint()
    .optional()
    .meta({ description: `${what}, in the smallest unit of the token that it takes.` })

/** The bridge does not carry so little. */
export const amountTooLow = defineError({
  code: 'AMOUNT_TOO_LOW',
  kind: 'bad-request',
  meaning: 'The bridge does not carry so little; `minimum` says how much it does, where that is known.',
  retry: 'With a larger amount.',
  fundsState: UNTOUCHED,
  message: 'The bridge does not carry so little',
  members: z.object({ minimum: limit('The least that the bridge carries') }),
})

/** The bridge does not carry so much at once. */
export const amountTooHigh = defineError({
  code: 'AMOUNT_TOO_HIGH',
  kind: 'bad-request',
  meaning: 'The bridge does not carry so much at once; `maximum` says how much it does, where that is known.',
  retry: 'With a smaller amount.',
  fundsState: UNTOUCHED,
  message: 'The bridge does not carry so much at once',
  members: z.object({ maximum: limit('The most that the bridge carries') }),
})

/** What a bridge says of an amount, wherever one is quoted. */
export const BRIDGE_ERRORS = [amountTooLow, amountTooHigh] as const
