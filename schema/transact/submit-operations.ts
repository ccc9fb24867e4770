import { accountPath } from '../define/account-path.ts'
import { defineOperation } from '../define/operation.ts'
import { quotePath } from './model.ts'
import { relayStatus, submitBody, submitted } from './submit-model.ts'

const section = 'Sending'

const MESSAGES = {
  submitted: 'On its way: follow the relay status',
  queued: 'Accepted: it is sent as soon as the chain takes it',
}

export const submitOperations = [
  defineOperation({
    name: 'submitQuote',
    kind: 'mutation',
    rest: 'POST /v1/accounts/{accountId}/submit',
    status: 200,
    access: 'bearer',
    // Twice the quotes that an account may ask for in a minute: an attempt that fails simulates all the same.
    limit: 60,
    errors: [400, 401, 403, 404, 429, 503],
    codes: [
      'CHAIN_NOT_SUPPORTED',
      'QUOTE_EXPIRED',
      'QUOTE_REFRESH_REQUIRED',
      'QUOTE_MISMATCH',
      'INVALID_SIGNATURE',
      'AUTHORIZATION_NONCE_STALE',
      'SIMULATION_FAILED',
      'TOO_MANY_FAILED',
      'TOO_MANY_UNDER_WAY',
      'GAS_BUDGET_USED_UP',
    ],
    section,
    summary: 'Send what was signed',
    description:
      'Takes each intent and delegation of a locked quote with its signature; fields that are not signed are taken from the quote. The same quote again is sent once. 400 QUOTE_EXPIRED, QUOTE_REFRESH_REQUIRED (gas rose beyond what was signed), QUOTE_MISMATCH, INVALID_SIGNATURE, AUTHORIZATION_NONCE_STALE, SIMULATION_FAILED: then nothing was sent.',
    input: { path: accountPath, body: submitBody },
    output: submitted,
    run: async ({ path, body }, { services }) => {
      const { quoteId, txHash, status } = await services.submissions.submit(path.accountId, body)
      return { success: true, quoteId, txHash, status, message: MESSAGES[status] }
    },
  }),
  defineOperation({
    name: 'relayStatus',
    kind: 'query',
    field: 'relayStatus',
    rest: 'GET /v1/accounts/{accountId}/relay-status/{quoteId}',
    status: 200,
    access: 'bearer',
    errors: [400, 401, 404],
    section,
    summary: 'How far a submitted quote is',
    description:
      'queued → pending (a node has it) → confirmed or failed; stuck while it waits unusually long. A quote that was not submitted is locked, unlocked, expired or replaced.',
    input: { path: quotePath },
    output: relayStatus,
    run: async ({ path }, { services }) => services.submissions.relayStatus(path.accountId, path.quoteId),
  }),
]
