import { z } from 'zod'
import { defineError } from '../../../service-error.ts'
import { amountTooLow } from '../../errors.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'

/** The amount exceeds what the bridge carries at once. */
export const amountTooHigh = defineError({
  code: 'AMOUNT_TOO_HIGH',
  kind: 'bad-request',
  meaning: 'The bridge does not carry so much at once; `maximum` is the most that it carries, if known.',
  retry: 'With a smaller amount.',
  fundsState: UNTOUCHED,
  message: 'The bridge does not carry so much at once',
  members: z.object({
    maximum: z.bigint().optional().meta({
      description: 'The most that the bridge carries, in the smallest unit of the token that it takes.',
    }),
  }),
})

/** Errors about an amount, for all endpoints that quote a bridge. */
export const BRIDGE_ERRORS = [amountTooLow, amountTooHigh] as const
