import { z } from 'zod'
import {
  readSubmittedDelegation,
  submittedDelegationFields,
} from '../../relayer/transact/intents/delegation.ts'
import { ORDER_STATUSES } from '../../relayer/transact/orders/order-state.ts'
import { readSubmittedIntent, submittedIntentFields } from '../../relayer/transact/intents/intent-wire.ts'
import { absentIfNull, address, hash, moment } from '../define/scalars.ts'
import { described, describedAs, shape } from '../define/shape.ts'
import { offRampProgress } from './off-ramp-progress.ts'
import { withdrawals } from './kinds/spend/spend-shapes.ts'
import { quoteId } from './model.ts'
import { quotedDelegation, quotedIntent } from './quote-model.ts'

/** More than a quote may have, and more than fit into a transaction. */
const MAX_INTENTS = 64

const ofOurOwn = 'Accepted and ignored: the service verifies against its own copy.'

const { signature: intentSignature, ...intentFields } = submittedIntentFields.shape
const signedIntent = shape('SignedIntent', 'An intent of the quote with its EIP-712 `signature`.', {
  ...describedAs(intentFields, quotedIntent.shape),
  signature: described(intentSignature, 'EIP-712 signature by the key of `eoa`: 65 bytes r‖s‖v in hex.'),
  domain: described(z.unknown().optional(), ofOurOwn),
  types: described(z.unknown().optional(), ofOurOwn),
  primaryType: described(z.string().max(64).optional(), ofOurOwn),
}).transform(({ domain: _domain, types: _types, primaryType: _primaryType, ...fields }) =>
  readSubmittedIntent(fields),
)

const { signature: delegationSignature, ...delegationFields } = submittedDelegationFields.shape
const signedDelegation = shape(
  'SignedDelegation',
  'A delegation of the quote with its EIP-7702 `signature`.',
  {
    ...describedAs(delegationFields, quotedDelegation.shape),
    signature: described(
      delegationSignature,
      'Signature of the EIP-7702 authorization by the key of `address`: 65 bytes r‖s‖v in hex.',
    ),
  },
).transform(readSubmittedDelegation)

export const submitBody = shape('QuoteSubmission', 'A quote with what was signed.', {
  quoteId: described(quoteId, 'Id of the quote that was signed.'),
  intents: described(
    z.array(signedIntent).max(MAX_INTENTS).default([]),
    'Every intent of the quote, each with its `signature`; none for a spend from a pool.',
  ),
  delegations: described(
    z.array(signedDelegation).max(MAX_INTENTS).default([]),
    'The delegations of the quote, each with the `signature` of an EIP-7702 authorization.',
  ),
  withdrawals,
})

const intentSigned = shape('IntentSignature', 'The signature of one intent.', {
  eoa: described(address, '`eoa` of the intent.'),
  signature: signedIntent.in.shape.signature,
})
const delegationSigned = shape('DelegationSignature', 'The signature of one delegation.', {
  address: described(address, '`address` of the delegation.'),
  signature: signedDelegation.in.shape.signature,
})

/** A submission as GraphQL has it: the signed contents are read from the quote. */
export const signaturesBody = shape('QuoteSignatures', 'A quote, and the signatures of its parts.', {
  quoteId: submitBody.shape.quoteId,
  intents: described(
    z.array(intentSigned).max(MAX_INTENTS).default([]),
    'One for every intent of the quote; none for a spend from a pool.',
  ),
  delegations: described(
    z.array(delegationSigned).max(MAX_INTENTS).default([]),
    'One for every delegation of the quote.',
  ),
  withdrawals,
})

export const submitted = shape('QuoteSubmitted', 'The result of the submission.', {
  success: described(z.boolean(), 'Always true: a failure is answered as an error.'),
  quoteId: described(z.uuid(), 'Id of the quote that was submitted.'),
  txHash: described(absentIfNull(hash), 'Absent until a node has accepted it: follow the relay.'),
  status: described(
    z.enum(['submitted', 'queued']),
    'submitted: a node has it. queued: it is sent as soon as the chain takes it.',
    { id: 'SubmissionStatus' },
  ),
  message: described(z.string(), 'Text for a person that says the same as `status`.'),
})

const status = described(
  z.enum([
    'locked',
    'queued',
    'pending',
    'confirmed',
    'failed',
    'stuck',
    'unlocked',
    'expired',
    'replaced',
    'manual_review',
  ]),
  'queued: accepted. pending: a node has it. stuck: it waits unusually long. manual_review: a note was spent otherwise than reported. locked, unlocked, expired and replaced: it was not submitted.',
  { id: 'RelayStatusName' },
)

/** State of a quote's bridge order, in every view. */
export const bridgeProgress = shape('BridgeProgress', 'How the crossing to another chain stands.', {
  bridgeStatus: described(
    z.enum(ORDER_STATUSES),
    'pending: not deposited for certain. confirmed_source: deposited, waits for its fill. completed: it arrived. expired: no filler filled it in time, and the bridge owes the deposit. refunded: the deposit came back. failed: it was not deposited.',
    { id: 'BridgeStatus' },
  ),
  destTxHash: described(hash.nullable(), 'Hash of the transaction by which it arrived; null until it has.'),
  refundTxHash: described(
    hash.nullable(),
    'Hash of the transaction that paid it back; null unless it was refunded.',
  ),
})

export const relayStatus = shape('RelayStatus', 'How the relay of a quote stands.', {
  status,
  txHash: described(
    hash.nullable(),
    'Hash of the newest transaction that carries it; null until a node has one.',
  ),
  confirmedTxHash: described(
    hash.nullable(),
    'Hash of the transaction that executed it; null until it has ended.',
  ),
  error: described(
    absentIfNull(z.string()),
    'Why it failed, or how a spend differed from the report; absent unless it did.',
  ),
  bridge: described(
    absentIfNull(bridgeProgress),
    'The crossing, which goes on after the quote is confirmed; absent for a quote that stays on its chain.',
  ),
  offRamp: described(
    absentIfNull(offRampProgress),
    'The cash-out, which goes on after the quote is confirmed; absent for a quote that is none.',
  ),
})

/** The progress that subscribers of a quote receive. */
export const quoteProgress = shape('QuoteProgress', 'How the relay of a quote stands.', {
  ...relayStatus.shape,
  quoteId: described(z.uuid(), 'Id of the quote that is relayed.'),
  error: described(z.string().nullable(), 'Why it failed; null unless it did.'),
  updatedAt: described(moment, 'When the status last changed.'),
})
