import { z } from 'zod'
import { submittedDelegation } from '../../relayer/transact/intents/delegation-wire.ts'
import { readSubmittedIntent, submittedIntentFields } from '../../relayer/transact/intents/intent-wire.ts'

/** More than one quote may have, and than fits a transaction. */
const MAX_INTENTS = 64

const signedIntent = submittedIntentFields
  .extend({
    domain: z.unknown().optional(),
    types: z.unknown().optional(),
    primaryType: z.string().max(64).optional(),
  })
  .meta({ id: 'SignedIntent', description: 'An intent of the quote with its EIP-712 `signature`.' })
  // What is verified is made from our own domain and types.
  .transform(({ domain: _domain, types: _types, primaryType: _primaryType, ...fields }) =>
    readSubmittedIntent(fields),
  )

export const submitBody = z
  .object({
    quoteId: z.uuid().toLowerCase(),
    intents: z.array(signedIntent).min(1).max(MAX_INTENTS),
    delegations: z.array(submittedDelegation).max(MAX_INTENTS).default([]).meta({
      description: 'Those of the quote, each with the `signature` of an EIP-7702 authorization.',
    }),
  })
  .meta({ id: 'QuoteSubmission', description: 'A quote with what was signed.' })

export const submitted = z
  .object({
    success: z.boolean(),
    quoteId: z.uuid(),
    txHash: z
      .string()
      .optional()
      .meta({ description: 'Absent until a node has taken it: follow the relay.' }),
    status: z.enum(['submitted', 'queued']).meta({
      id: 'SubmissionStatus',
      description: 'submitted: a node has it. queued: it is sent as soon as the chain takes it.',
    }),
    message: z.string(),
  })
  .meta({ id: 'QuoteSubmitted', description: 'What became of the submission.' })

const status = z
  .enum(['locked', 'queued', 'pending', 'confirmed', 'failed', 'stuck', 'unlocked', 'expired', 'replaced'])
  .meta({
    id: 'RelayStatusName',
    description:
      'queued: accepted. pending: a node has it. stuck: it waits unusually long. locked, unlocked, expired and replaced: it was not submitted.',
  })

export const relayStatus = z
  .object({
    status,
    txHash: z.string().nullable().meta({ description: 'Of the newest transaction that carries it.' }),
    confirmedTxHash: z.string().nullable().meta({ description: 'Once it has ended: where it was executed.' }),
  })
  .meta({ id: 'RelayStatus', description: 'How the relay of a quote stands.' })

/** As followers are told of it. */
export const quoteProgress = relayStatus
  .extend({
    quoteId: z.uuid(),
    error: z.string().nullable().meta({ description: 'Why it failed.' }),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'QuoteProgress', description: 'How the relay of a quote stands.' })
