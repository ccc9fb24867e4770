import type { Quote } from '../../relayer/transact/transact.ts'
import { accountPath } from '../define/account-path.ts'
import type { AnswerOf } from '../define/encode.ts'
import { defineOperation } from '../define/operation.ts'
import { describeMaxSpendable } from './describe-max-spendable.ts'
import { describeRecipient } from './describe-recipient.ts'
import {
  avatar,
  avatarQuery,
  maxSpendable,
  maxSpendableBody,
  quoteBody,
  quotePath,
  quoteSignerKey,
  recipientKind,
  recipientQuery,
  unlockBody,
  unlocked,
} from './model.ts'
import { quote } from './quote-model.ts'
import { shapesOf } from './kinds/quote-shapes.ts'

const section = 'Sending'

export const transactOperations = [
  defineOperation({
    name: 'quoteSignerPublicKey',
    kind: 'query',
    rest: 'GET /v1/.well-known/quote-signer-public-key',
    status: 200,
    access: 'public',
    errors: [],
    section,
    summary: 'The key that signs quotes',
    description: 'Verifies the `signature` of quotes.',
    input: {},
    output: quoteSignerKey,
    run: async (_, { services }) => services.quotes.signerPublicKey(),
  }),
  defineOperation({
    name: 'createQuote',
    kind: 'mutation',
    rest: 'POST /v1/accounts/{accountId}/quote',
    status: 200,
    access: 'bearer',
    limit: 30,
    idempotency: 'optional',
    errors: [400, 401, 403, 409, 429, 451, 502, 503],
    codes: [
      'CHAIN_NOT_SUPPORTED',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_FUNDS_FOR_FEES',
      'FEE_TOKEN_UNPRICED',
      'SIMULATION_FAILED',
      'QUOTE_LOCK_CONFLICT',
      'TOKEN_METADATA_UNAVAILABLE',
      'DECIMALS_MISMATCH',
      'DESTINATION_INVALID',
      'DESTINATION_NOT_FOUND',
      'NAME_LOOKUPS_EXHAUSTED',
      'CONTRACT_RECIPIENT',
      'BURN_ADDRESS_RECIPIENT',
      'TOKEN_CONTRACT_RECIPIENT',
      'ADDRESS_POISONING_MATCH',
      'SWAP_UNAVAILABLE',
    ],
    section,
    summary: 'Quote a payment and lock its funds',
    description:
      'Answers what to sign. Funds stay locked until the quote is submitted, unlocked or ends. 400 INSUFFICIENT_BALANCE and INSUFFICIENT_FUNDS_FOR_FEES say what could be sent, CONTRACT_RECIPIENT what to acknowledge; 409 QUOTE_LOCK_CONFLICT when other quotes hold the funds, ADDRESS_POISONING_MATCH for a recipient that imitates a known address.',
    input: { path: accountPath, body: quoteBody },
    output: quote,
    run: async ({ path, body }, { services }) =>
      showQuote(await services.quotes.create(path.accountId, shapesOf(body.type).readRequest(body))),
  }),
  defineOperation({
    name: 'refreshQuote',
    kind: 'mutation',
    rest: 'POST /v1/accounts/{accountId}/quotes/{quoteId}/refresh',
    status: 200,
    access: 'bearer',
    idempotency: 'required',
    errors: [400, 401, 403, 404, 409, 429, 451, 503],
    codes: [
      'QUOTE_NOT_REFRESHABLE',
      'CHAIN_NOT_SUPPORTED',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_FUNDS_FOR_FEES',
      'FEE_TOKEN_UNPRICED',
      'SIMULATION_FAILED',
      'QUOTE_LOCK_CONFLICT',
      'TOKEN_METADATA_UNAVAILABLE',
    ],
    section,
    summary: 'Put a quote at the present cost in the place of another',
    description:
      'The same payment from the same addresses and until the same time, its funds locked throughout. 400 QUOTE_NOT_REFRESHABLE once the old one has ended or was submitted.',
    input: { path: quotePath },
    output: quote,
    run: async ({ path }, { services }) =>
      showQuote(await services.quotes.refresh(path.accountId, path.quoteId)),
  }),
  defineOperation({
    name: 'unlockQuote',
    kind: 'mutation',
    rest: 'POST /v1/accounts/{accountId}/unlock',
    status: 200,
    access: 'bearer',
    errors: [400, 401, 403, 404, 451],
    codes: ['QUOTE_SUBMITTED'],
    section,
    summary: 'Give up a quote',
    description: 'Its funds are free again. Repeated, it answers the same. 400 once the quote was submitted.',
    input: { path: accountPath, body: unlockBody },
    output: unlocked,
    run: async ({ path, body }, { services }) => {
      await services.quotes.unlock(path.accountId, body.quoteId)
      return { success: true, message: 'Quote unlocked' }
    },
  }),
  defineOperation({
    name: 'maxSpendable',
    kind: 'query',
    field: 'maxSpendable',
    rest: 'POST /v1/accounts/{accountId}/max-spendable',
    status: 200,
    access: 'bearer',
    errors: [400, 401, 403, 451, 503],
    codes: ['CHAIN_NOT_SUPPORTED', 'FEE_TOKEN_UNPRICED', 'SIMULATION_FAILED', 'TOKEN_METADATA_UNAVAILABLE'],
    section,
    summary: 'The most that can be sent',
    description: 'After fees, whoever the recipient is. Nothing is locked.',
    input: { path: accountPath, body: maxSpendableBody },
    output: maxSpendable,
    run: async ({ path, body }, { services }) =>
      describeMaxSpendable(
        await services.quotes.maxSpendable(
          path.accountId,
          shapesOf(body.type ?? 'send').readMaxRequest(body),
        ),
      ),
  }),
  defineOperation({
    name: 'destinationAvatar',
    kind: 'query',
    field: 'destinationAvatar',
    rest: 'GET /v1/accounts/{accountId}/destination-avatar',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [401, 403, 429],
    section,
    summary: 'The picture of a destination',
    description: 'Null for an address, and for a name without a public picture.',
    input: { path: accountPath, query: avatarQuery },
    output: avatar,
    run: async ({ query }, { services }) => ({
      avatarUrl: await services.quotes.findAvatar(query.destinationAddress),
    }),
  }),
  defineOperation({
    name: 'recipientAddressKind',
    kind: 'query',
    field: 'recipientAddressKind',
    rest: 'GET /v1/accounts/{accountId}/recipient-address-kind',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [400, 401, 403, 429, 502],
    codes: ['CHAIN_NOT_SUPPORTED'],
    section,
    summary: 'What stands behind an address',
    description:
      '`eoa` a key, `delegated` a key whose account runs code, `contract` code alone, `own` one of the account’s; and the known address that it imitates, if any.',
    input: { path: accountPath, query: recipientQuery },
    output: recipientKind,
    run: async ({ path, query }, { services }) =>
      describeRecipient(
        await services.quotes.describeRecipient(path.accountId, query.chainId, query.address),
      ),
  }),
]

/** The document that was signed, as it stands: a member more or less, and the signature would not hold. */
function showQuote({ terms, signature }: Quote): AnswerOf<typeof quote> {
  return { ...(terms as Omit<AnswerOf<typeof quote>, 'signature'>), signature }
}
