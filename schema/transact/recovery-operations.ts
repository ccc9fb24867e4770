import { z } from 'zod'
import {
  chainNotSupported,
  gasPriceAboveCap,
  noGasForSending,
  simulationFailed,
} from '../../relayer/chain/errors.ts'
import { accountNotFound, badRequest } from '../../relayer/errors.ts'
import { tokenMetadataUnavailable } from '../../relayer/market/errors.ts'
import {
  feeTokenUnpriced,
  quoteLockConflict,
  repeatedQuoteEnded,
  quoteNotFound,
  noteSpent,
} from '../../relayer/transact/errors.ts'
import {
  feesExceedValue,
  recoverCalldataInvalid,
  alreadyRecovered,
  depositNotFound,
  invalidRecoveryProof,
  publicLink,
  recoverMismatch,
  recoveryUnderWay,
} from '../../relayer/transact/kinds/pool-recover/errors.ts'
import { addressNotServed } from '../../relayer/transact/screening/errors.ts'
import { accountMutation } from '../define/account-operation.ts'
import { checkRepeatedQuote, keepShown, showQuote } from './show-quote.ts'
import { bytes } from '../define/scalars.ts'
import { described, shape } from '../define/shape.ts'
import { quoteId } from './model.ts'
import { quote } from './quote-model.ts'

/** Reasons why a note cannot be recovered, at the first request and when its quote is refreshed. */
export const RECOVERY_ERRORS = [
  depositNotFound,
  alreadyRecovered,
  recoverMismatch,
  noteSpent,
  publicLink,
  invalidRecoveryProof,
  recoveryUnderWay,
] as const

/** Far above the size of `ragequit(proof)`: longer calldata gets an error code of its own. */
const MOST_CALLDATA = 2_000

const recoverBody = shape(
  'PoolRecoverRequest',
  'The note to take back. One of `quoteId` and `commitmentId`.',
  {
    quoteId: described(quoteId.nullish(), 'The quote that deposited it.'),
    commitmentId: described(
      z.string().min(1).max(100).nullish(),
      'Its name in `pool/commitments`: the label of the deposit, of a change note with `-` and its withdrawalIndex.',
    ),
    recoverCalldata: described(
      bytes.check(z.property('length', z.number().max(MOST_CALLDATA))),
      'Calldata of the pool’s `ragequit(proof)`: 388 bytes, with a proof by the circuit `commitment`.',
    ),
    acknowledgedPublicLink: described(
      z.boolean().nullish(),
      'True accepts that every earlier withdrawal of the deposit becomes public as the depositor’s; a change note needs it.',
    ),
  },
)

export const poolRecoveryOperations = [
  accountMutation({
    name: 'preparePoolRecovery',
    rest: 'POST /v1/accounts/{accountId}/pool-recover/prepare',
    // As quotes: a proof is verified and a run simulated.
    limit: 30,
    idempotency: 'optional',
    checkRepeated: checkRepeatedQuote,
    errors: [
      accountNotFound,
      quoteNotFound,
      recoverCalldataInvalid,
      ...RECOVERY_ERRORS,
      feesExceedValue,
      feeTokenUnpriced,
      addressNotServed,
      chainNotSupported,
      simulationFailed,
      quoteLockConflict,
      repeatedQuoteEnded,
      gasPriceAboveCap,
      noGasForSending,
      tokenMetadataUnavailable,
    ],
    section: 'Sending',
    summary: 'Take a deposit back in the open',
    description:
      'Answers a quote of one intent by the depositor, to be signed and submitted like every other: it takes what is left of a deposit out of its pool, whether pending, declined or approved, and pays for the gas out of what comes back. Only a withdrawal is private: this publishes whose the deposit was. This request alone reveals to the service, and to the node that runs it, the nullifierHash of the note beside the deposit’s label. Both recognize a later withdrawal of the same note. Prepare only what is to be submitted.',
    input: { body: recoverBody },
    output: quote,
    run: async ({ path, body }, { services, keepAnswer }) => {
      const { commitmentId, recoverCalldata, acknowledgedPublicLink } = body
      const named = [
        ...(body.quoteId ? [{ quoteId: body.quoteId }] : []),
        ...(commitmentId ? [{ commitmentId }] : []),
      ]
      const [of, more] = named
      if (!of || more) throw badRequest('expected one of quoteId and commitmentId')
      const request = {
        kind: 'pool_recover',
        of,
        recoverCalldata,
        acknowledgedPublicLink: acknowledgedPublicLink ?? false,
      } as const
      return showQuote(await services.quotes.create(path.accountId, request, keepShown(keepAnswer)))
    },
  }),
]
