import { collectibleWithdrawnLately } from '../../relayer/transact/kinds/nft-withdraw/errors.ts'
import {
  chainNotSupported,
  gasBudgetUsedUp,
  gasPriceAboveCap,
  noGasForSending,
  simulationFailed,
} from '../../relayer/chain/errors.ts'
import { poolNotFound } from '../../relayer/pool/errors.ts'
import { poolDead, precommitmentAlreadyUsed } from '../../relayer/transact/kinds/pool-deposit/errors.ts'
import { accountNotFound, badRequest } from '../../relayer/errors.ts'
import {
  noteSpent,
  quoteNotFound,
  quoteRefreshRequired,
  authorizationNonceStale,
  invalidSignature,
  quoteExpired,
  quoteMismatch,
  tooManyFailed,
  tooManyUnderWay,
} from '../../relayer/transact/errors.ts'
import { accountMutation, accountQuery } from '../define/account-operation.ts'
import { quotePath } from './model.ts'
import { relayStatus, submitBody, submitted } from './submit-model.ts'

const section = 'Sending'

const MESSAGES = {
  submitted: 'On its way: follow the relay status',
  queued: 'Accepted: it is sent as soon as the chain takes it',
  told: 'Noted: have each withdrawal relayed by /relayer/request',
}

export const submitOperations = [
  accountMutation({
    name: 'submitQuote',
    rest: 'POST /v1/accounts/{accountId}/submit',
    // Twice the quotes that an account may request per minute, because an attempt that fails is simulated as well.
    limit: 60,
    errors: [
      quoteNotFound,
      chainNotSupported,
      quoteExpired,
      quoteRefreshRequired,
      quoteMismatch,
      noteSpent,
      invalidSignature,
      authorizationNonceStale,
      simulationFailed,
      tooManyFailed,
      tooManyUnderWay,
      gasBudgetUsedUp,
      gasPriceAboveCap,
      noGasForSending,
      poolNotFound,
      poolDead,
      precommitmentAlreadyUsed,
      collectibleWithdrawnLately,
    ],
    section,
    summary: 'Send what was signed',
    description:
      'Takes each intent and delegation of a locked quote with its signature; fields that are not signed are taken from the quote. The same quote again is sent once. 400 QUOTE_EXPIRED, QUOTE_REFRESH_REQUIRED (gas rose beyond what was signed, or a price, rate, venue or payee changed), QUOTE_MISMATCH, INVALID_SIGNATURE, AUTHORIZATION_NONCE_STALE, SIMULATION_FAILED: then nothing was sent.',
    input: { body: submitBody },
    output: submitted,
    run: async ({ path, body }, { services, client }) => {
      const { withdrawals, ...signed } = body
      if (!withdrawals && signed.intents.length === 0)
        throw badRequest('body.intents: expected every intent of the quote')
      const submission = withdrawals ? { quoteId: body.quoteId, withdrawals } : signed
      const { status, ...sent } = await services.quotes.submit(path.accountId, submission, client.address)
      const message = MESSAGES[status]
      return { success: true, ...sent, status: status === 'told' ? ('queued' as const) : status, message }
    },
  }),
  accountQuery({
    name: 'relayStatus',
    field: 'relayStatus',
    rest: 'GET /v1/accounts/{accountId}/relay-status/{quoteId}',
    errors: [quoteNotFound],
    foreignAccount: accountNotFound,
    section,
    summary: 'How far a submitted quote is',
    description:
      'queued → pending (a node has it) → confirmed (a final block has executed the signed calls; what a token then keeps in its books is its contract’s word) or failed; stuck while it waits unusually long. A quote that was not submitted is locked, unlocked, expired or replaced.',
    input: { path: quotePath },
    output: relayStatus,
    async run({ path: { accountId, quoteId } }, { services }) {
      const status = await services.quotes.relayStatus(accountId, quoteId)
      if (!status) throw quoteNotFound()
      return status
    },
  }),
]
