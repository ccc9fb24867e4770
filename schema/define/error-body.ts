import { z } from 'zod'

const text = (description: string) => z.string().optional().meta({ description })
const number = (description: string) => z.number().optional().meta({ description })
const smallestUnit = (what: string) => text(`${what}, in the smallest unit.`)

const feePaymentOption = z
  .object({
    token: z.string().meta({ description: 'Contract of the token; the zero address is the native coin.' }),
    symbol: z.string().meta({ description: 'Symbol of the token.' }),
    decimals: z.int().meta({ description: 'Decimals of amounts in the smallest unit.' }),
    available: z.string().meta({ description: 'What can be spent now, in the smallest unit.' }),
    maxSpendable: z.string().meta({ description: 'The most that could be sent then.' }),
    feeEstimate: z.string().meta({ description: 'The estimated fee in the smallest unit.' }),
  })
  .partial()
  .meta({ id: 'FeePaymentOption', description: 'A token that the fee could be paid in.' })

/** The body of every failure (api.md 2.1); what follows the code is there where it says something. */
export const errorBody = z
  .looseObject({
    error: z.string().meta({ description: 'Class of the error.', examples: ['Bad request'] }),
    message: z.string().meta({ description: 'What went wrong, for a person.' }),
    code: text('What went wrong, for a program.'),
    available: smallestUnit('INSUFFICIENT_BALANCE: the available balance'),
    tokenSymbol: text('Token of the balance that caused the error.'),
    tokenAddress: text('Token of the balance that caused the error.'),
    tokenDecimals: z.int().optional().meta({ description: 'Decimals of amounts in the smallest unit.' }),
    minAmount: text('WITHDRAWAL_AMOUNT_TOO_SMALL: the smallest amount that would do, for a person.'),
    maxSendable: text(
      'The most after fees: for a person with WITHDRAWAL_AMOUNT_TOO_SMALL, in the smallest unit with INSUFFICIENT_FUNDS_FOR_FEES.',
    ),
    feeEstimate: smallestUnit('INSUFFICIENT_FUNDS_FOR_FEES: the estimated fee'),
    required: smallestUnit('The amount asked for and the estimated fee'),
    shortfall: smallestUnit('By how much the request exceeds what fees leave'),
    spendableCount: number('Spendables that `maxSendable` counts.'),
    maxInputs: number('The most spendables that one quote may take.'),
    selectedAmount: smallestUnit('Total of the pool balances considered'),
    selectedCount: number('How many pool balances that is.'),
    relayFee: smallestUnit('Estimated relay fee for them'),
    feeLimit: smallestUnit('The largest relay fee for the amount asked for'),
    maxRelayFeeBPS: number('The largest relay fee that the pool allows.'),
    requiredRelayFeeBPS: text('The relay fee that the amount would need.'),
    resolvedAddress: text('The exact destination to acknowledge, for a recipient that is a contract.'),
    requestedSlippageBps: number('The slippage that was asked for.'),
    recommendedSlippageBps: number('The slippage that would do.'),
    feePaymentOptions: z
      .array(feePaymentOption)
      .optional()
      .meta({ description: 'Tokens that the fee could be paid in instead.' }),
    matchedAddress: text('A known address that the destination looks like.'),
    matchedPrefixCharsCount: z.int().optional().meta({ description: 'Equal characters at the beginning.' }),
    matchedSuffixCharsCount: z.int().optional().meta({ description: 'Equal characters at the end.' }),
    matchSource: text('Where that address is known from.'),
    contactName: text('Its name in the address book.'),
  })
  .meta({
    id: 'ErrorBody',
    description: 'The body of every failure; what follows the code is there where it says something.',
  })

export const legalErrorBody = z
  .object({
    error: z.string().meta({ description: 'Class of the error.', examples: ['Unavailable'] }),
    message: z.string().meta({ description: 'What went wrong, for a person.' }),
    code: z.string().meta({ description: 'What went wrong, for a program.' }),
    recoveryUrl: z.string().optional().meta({ description: 'Where funds can be recovered.' }),
  })
  .meta({ id: 'LegalErrorBody', description: 'The body of a refusal for legal reasons.' })

export const oauthErrorBody = z
  .object({
    error: z.string().meta({ description: 'A code of RFC 6749 or RFC 6750.', examples: ['invalid_grant'] }),
    error_description: text('What went wrong, for a person.'),
  })
  .meta({ id: 'OAuthErrorBody', description: 'The body of OAuth failures (RFC 6749).' })

/** The error classes that the API answers with, by status. */
export const ERROR_CLASSES = {
  400: {
    error: 'Bad request',
    meaning: 'The request is malformed or asks for what cannot be; mend it before trying again.',
  },
  401: { error: 'Unauthorized', meaning: 'A valid bearer token is required.' },
  403: { error: 'Forbidden', meaning: 'The token does not give access to this.' },
  404: { error: 'Not found', meaning: 'There is no such thing.' },
  405: {
    error: 'Method not allowed',
    meaning: 'The path exists, with the methods that the Allow header names.',
  },
  409: { error: 'Conflict', meaning: 'The request conflicts with the present state.' },
  413: { error: 'Payload too large', meaning: 'The body exceeds the limit; the connection stays usable.' },
  415: {
    error: 'Unsupported Media Type',
    meaning: 'Of `/graphql` alone, which takes JSON; elsewhere another content type is a 400.',
  },
  422: { error: 'Unprocessable Entity', meaning: 'The request is well formed and cannot be followed.' },
  429: {
    error: 'Too Many Requests',
    meaning: 'The rate limit is exceeded; Retry-After says for how many seconds.',
  },
  451: { error: 'Unavailable', meaning: 'Not available for legal reasons.' },
  500: {
    error: 'Internal Server Error',
    meaning: 'A fault of the service; the message names the request for its operator.',
  },
  502: { error: 'Bad Gateway', meaning: 'A party behind the service failed.' },
  503: {
    error: 'Service Unavailable',
    meaning: 'The service is busy or catching up; try again after Retry-After seconds.',
  },
} as const satisfies Record<number, { error: string; meaning: string }>

export type ErrorStatus = keyof typeof ERROR_CLASSES
