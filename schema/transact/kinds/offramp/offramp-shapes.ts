import { z } from 'zod'
import { decimalText, isPlainLine } from '../../../define/scalars.ts'
import { described } from '../../../define/shape.ts'
import {
  amountMembers,
  bridgeAnswer,
  needed,
  recipientMembers,
  type KindShapes,
  type MaxRequestBody,
  type RequestBody,
} from '../kind-shapes.ts'

const escrowChainId = described(
  z.int().positive().nullish(),
  'Chain whose escrow sells the token; `chainId` when it is left out.',
)
const paymentMethod = described(
  z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/)
    .nullish(),
  'Payment app or bank by which buyers pay, by the venue’s name for it: `venmo`. A cash-out needs it.',
)
const currency = described(
  z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullish(),
  'Currency that buyers pay, by ISO 4217: `USD`. A cash-out needs it.',
)

const request = {
  ...amountMembers,
  token: needed(amountMembers.token),
  decimals: recipientMembers.decimals,
  escrowChainId,
  paymentMethod: needed(paymentMethod),
  currency: needed(currency),
  payee: needed(
    described(
      z
        .string()
        .min(1)
        .max(255)
        .refine(isPlainLine, 'expected one line without control characters or blanks at its ends')
        .nullish(),
      'Handle of the payee, as the payment app has it. Sent to the venue’s curator, stored encrypted, and erased when the cash-out ends. A cash-out needs it.',
    ),
  ),
}
const maxRequest = { escrowChainId }

/** Members of a cash-out's quote beyond those of every quote. */
export const offrampAnswer = {
  ...bridgeAnswer,
  escrowChainId,
  paymentMethod,
  currency,
  payeeDetails: described(
    z.string().nullish(),
    'By which the escrow names the payee, 32 bytes in hex. It is public, and the same for every cash-out to one handle. Present only for a cash-out.',
  ),
  conversionRate: described(
    decimalText.nullish(),
    'Price of a whole token now, as a decimal number of `currency`. It binds when a buyer signals. Present only for a cash-out.',
  ),
  minimumConversionRate: described(
    decimalText.nullish(),
    'Buyers never pay less for a whole token: it stands in the calldata. Present only for a cash-out.',
  ),
  estimatedFiatAmount: described(
    z.string().nullish(),
    'The buyers’ payment for all of it at `conversionRate`, two decimals and the currency: an estimate until they signal. Present only for a cash-out.',
  ),
  minimumFiatAmount: described(
    z.string().nullish(),
    'The same at `minimumConversionRate`. Present only for a cash-out.',
  ),
}

/** A cash-out as the API has it. */
export const offrampShapes: KindShapes = {
  request,
  maxRequest,
  answer: offrampAnswer,
  readRequest: (body: RequestBody<typeof request>) => ({ kind: 'offramp', ...body }),
  readMaxRequest: (body: MaxRequestBody<typeof maxRequest>) => ({ kind: 'offramp', ...body }),
}
