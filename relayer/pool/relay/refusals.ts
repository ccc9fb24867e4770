import { chainNotSupported, simulationFailed } from '../../chain/errors.ts'
import { defineRefusal, type RefusedError, type Refusal } from './define-refusal.ts'
import { assetNotSupported, gasPriceAboveLimit } from './errors.ts'

const UNTOUCHED = 'Yes: nothing was sent.'

/** The relayer does not support the request's chain. */
export const chainRefused = defineRefusal({
  code: chainNotSupported.terms.code,
  message: 'This relayer does not serve that chain',
  mayRetry: 'No, use a chain that /relayer/details answers for.',
  noteStillMine: UNTOUCHED,
})

/** The scope is not that of a pool of the chain. */
export const unknownScope = defineRefusal({
  code: 'UNKNOWN_SCOPE',
  message: 'No pool of this chain has that scope',
  mayRetry: 'No, scope must be that of a registered pool on chainId.',
  noteStillMine: UNTOUCHED,
})

/** The fee commitment is for another asset than the pool's. */
export const assetRefused = defineRefusal({
  code: assetNotSupported.terms.code,
  message: 'The fee commitment is for another asset than the pool of this scope, or the asset is not served',
  mayRetry: 'With a quote for the asset of the pool.',
  noteStillMine: UNTOUCHED,
})

/** The fee commitment is not one that this relayer signed for this withdrawal. */
export const commitmentRejected = defineRefusal({
  code: 'RELAYER_COMMITMENT_REJECTED',
  message:
    'The fee commitment was not signed by this relayer, does not match the withdrawal data, or pays a recipient that would keep the money for good',
  mayRetry: 'With a fresh quote, submitted unchanged.',
  noteStillMine: UNTOUCHED,
})

/** The fee commitment is too old. */
export const commitmentExpired = defineRefusal({
  code: 'RELAYER_COMMITMENT_EXPIRED',
  message: 'The fee commitment has expired',
  mayRetry: 'With a fresh quote and a proof bound to its withdrawal data.',
  noteStillMine: UNTOUCHED,
})

/** The withdrawal names another processooor than the entrypoint. */
export const processooorMismatch = defineRefusal({
  code: 'PROCESSOOOR_MISMATCH',
  message: 'The processooor must be the entrypoint of this chain',
  mayRetry: 'With the entrypoint as processooor and a proof bound to it.',
  noteStillMine: UNTOUCHED,
})

/** The withdrawal pays its fee to another address. */
export const feeReceiverMismatch = defineRefusal({
  code: 'FEE_RECEIVER_MISMATCH',
  message: 'The withdrawal data pays the fee to another address than this relayer asks for',
  mayRetry: 'With a fresh quote, submitted unchanged.',
  noteStillMine: UNTOUCHED,
})

/** The committed fee is below the asset's present base fee, or no longer covers the gas. */
export const feeTooLow = defineRefusal({
  code: 'FEE_TOO_LOW',
  message: 'The committed fee is below the base fee of the asset, or no longer covers the gas',
  mayRetry: 'With a fresh quote.',
  noteStillMine: UNTOUCHED,
})

/** The fee is above the maximum of the pool. */
export const relayFeeAboveMax = defineRefusal({
  code: 'RELAY_FEE_ABOVE_MAX',
  message: 'The fee exceeds what the pool allows',
  mayRetry: 'With a fresh quote when gas is cheaper, or for a larger amount.',
  noteStillMine: UNTOUCHED,
})

/** The proof binds another withdrawal. */
export const contextMismatch = defineRefusal({
  code: 'CONTEXT_MISMATCH',
  message: 'The proof is bound to other withdrawal data or another scope',
  mayRetry: 'With a proof whose context is that of the submitted withdrawal and scope.',
  noteStillMine: UNTOUCHED,
})

/** The proof withdraws too little. */
export const insufficientWithdrawnValue = defineRefusal({
  code: 'INSUFFICIENT_WITHDRAWN_VALUE',
  message: 'The proof withdraws less than the amount that was quoted, or less than the minimum',
  mayRetry: 'With a quote for at most the proven value.',
  noteStillMine: UNTOUCHED,
})

/** Gas costs more than the operator’s limit. */
export const gasPriceRefused = defineRefusal({
  code: gasPriceAboveLimit.terms.code,
  message: 'Gas costs more than this relayer pays',
  mayRetry: 'Yes, later, while the fee commitment lasts; else with a fresh quote.',
  noteStillMine: UNTOUCHED,
})

/** The pool does not know the state root of the proof. */
export const unknownStateRoot = defineRefusal({
  code: 'UNKNOWN_STATE_ROOT',
  message: 'The pool does not know that state root: it never had it, or 64 newer ones followed',
  mayRetry: 'With a proof against a recent root.',
  noteStillMine: UNTOUCHED,
})

/** The association set has a newer root. */
export const incorrectAspRoot = defineRefusal({
  code: 'INCORRECT_ASP_ROOT',
  message: 'The association set has moved on from that root',
  mayRetry: 'With a proof against the latest root.',
  noteStillMine: UNTOUCHED,
})

/** The note is spent. */
export const nullifierAlreadySpent = defineRefusal({
  code: 'NULLIFIER_ALREADY_SPENT',
  message: 'The note is spent',
  mayRetry: 'No.',
  noteStillMine: 'No: it was spent on chain. Its change note, if any, is yours.',
})

/** The proof does not verify. */
export const invalidProof = defineRefusal({
  code: 'INVALID_PROOF',
  message: 'The proof does not verify',
  mayRetry: 'With a valid proof.',
  noteStillMine: UNTOUCHED,
})

/** Another request holds the note. */
export const alreadyInFlight = defineRefusal({
  code: 'ALREADY_IN_FLIGHT',
  message: 'Another withdrawal of this note is on its way',
  mayRetry: 'Once that one has failed: follow its requestId. An equal request gets the same answer instead.',
  noteStillMine: 'Until the other withdrawal confirms.',
})

/** A simulation of the call reverts. */
export const callWouldRevert = defineRefusal({
  code: simulationFailed.terms.code,
  message: 'The call would revert',
  mayRetry: 'After correcting what the message names; with the same body if that needs no new proof.',
  noteStillMine: UNTOUCHED,
})

/** The transaction reverted, or no node accepts it. */
export const transactionFailed = defineRefusal({
  code: 'TRANSACTION_ERROR',
  message: 'The transaction reverted or could not be sent',
  mayRetry:
    'Yes: the failure freed the note here. If a root has moved on, with a new proof; if the message names seconds, after these.',
  noteStillMine: 'Yes, unless another spend used it: check its nullifier on chain.',
})

/** Every refusal of `POST /relayer/request`, in the order in which the checks run. */
export const REFUSALS: readonly Refusal[] = [
  chainRefused,
  unknownScope,
  assetRefused,
  commitmentRejected,
  commitmentExpired,
  processooorMismatch,
  feeReceiverMismatch,
  feeTooLow,
  relayFeeAboveMax,
  contextMismatch,
  insufficientWithdrawnValue,
  gasPriceRefused,
  unknownStateRoot,
  incorrectAspRoot,
  nullifierAlreadySpent,
  invalidProof,
  alreadyInFlight,
  callWouldRevert,
  transactionFailed,
]

/**
 * Returns the refusal of a relay that ended without being mined. It is the reason of its review if that is one of the
 * above, else TRANSACTION_ERROR with the reason.
 */
export function explainEnd(reason: string): RefusedError {
  for (const refusal of REFUSALS) {
    const text = `${refusal.code}: ${refusal.message}`
    if (reason === text) return refusal()
    const detail = /^ \((.*)\)$/s.exec(reason.startsWith(text) ? reason.slice(text.length) : '')?.[1]
    if (detail !== undefined) return refusal(detail)
  }
  return transactionFailed(reason)
}
