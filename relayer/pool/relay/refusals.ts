/** What a client may conclude from a refusal of POST /relayer/request. */
export interface RelayRefusal {
  message: string
  mayRetry: string
  noteStillMine: string
}

const UNTOUCHED = 'Yes: nothing was sent.'

/** Every code of a refused relay request, in the order in which the checks run. */
export const REFUSALS = {
  CHAIN_NOT_SUPPORTED: {
    message: 'This relayer does not serve that chain',
    mayRetry: 'No, use a chain that /relayer/details answers for.',
    noteStillMine: UNTOUCHED,
  },
  UNKNOWN_SCOPE: {
    message: 'No pool of this chain has that scope',
    mayRetry: 'No, scope must be that of a registered pool on chainId.',
    noteStillMine: UNTOUCHED,
  },
  ASSET_NOT_SUPPORTED: {
    message:
      'The fee commitment is for another asset than the pool of this scope, or the asset is not served',
    mayRetry: 'With a quote for the asset of the pool.',
    noteStillMine: UNTOUCHED,
  },
  RELAYER_COMMITMENT_REJECTED: {
    message: 'The fee commitment was not signed by this relayer, or does not match the withdrawal data',
    mayRetry: 'With a fresh quote, submitted unchanged.',
    noteStillMine: UNTOUCHED,
  },
  RELAYER_COMMITMENT_EXPIRED: {
    message: 'The fee commitment has expired',
    mayRetry: 'With a fresh quote and a proof bound to its withdrawal data.',
    noteStillMine: UNTOUCHED,
  },
  PROCESSOOOR_MISMATCH: {
    message: 'The processooor must be the entrypoint of this chain',
    mayRetry: 'With the entrypoint as processooor and a proof bound to it.',
    noteStillMine: UNTOUCHED,
  },
  FEE_RECEIVER_MISMATCH: {
    message: 'The withdrawal data pays the fee to another address than this relayer asks for',
    mayRetry: 'With a fresh quote, submitted unchanged.',
    noteStillMine: UNTOUCHED,
  },
  FEE_TOO_LOW: {
    message: 'The committed fee is below the base fee that the asset costs now',
    mayRetry: 'With a fresh quote.',
    noteStillMine: UNTOUCHED,
  },
  RELAY_FEE_ABOVE_MAX: {
    message: 'The fee exceeds what the pool allows',
    mayRetry: 'With a fresh quote when gas is cheaper, or for a larger amount.',
    noteStillMine: UNTOUCHED,
  },
  CONTEXT_MISMATCH: {
    message: 'The proof is bound to other withdrawal data or another scope',
    mayRetry: 'With a proof whose context is that of the submitted withdrawal and scope.',
    noteStillMine: UNTOUCHED,
  },
  INSUFFICIENT_WITHDRAWN_VALUE: {
    message: 'The proof withdraws less than the amount that was quoted, or less than the minimum',
    mayRetry: 'With a quote for at most the proven value.',
    noteStillMine: UNTOUCHED,
  },
  MAX_GAS_PRICE: {
    message: 'Gas costs more than this relayer pays',
    mayRetry: 'Yes, later, while the fee commitment lasts; else with a fresh quote.',
    noteStillMine: UNTOUCHED,
  },
  UNKNOWN_STATE_ROOT: {
    message: 'The pool does not know that state root: it never had it, or 64 newer ones followed',
    mayRetry: 'With a proof against a recent root.',
    noteStillMine: UNTOUCHED,
  },
  INCORRECT_ASP_ROOT: {
    message: 'The association set has moved on from that root',
    mayRetry: 'With a proof against the latest root.',
    noteStillMine: UNTOUCHED,
  },
  NULLIFIER_ALREADY_SPENT: {
    message: 'The note is spent',
    mayRetry: 'No.',
    noteStillMine: 'No: it was spent on chain. Its change note, if any, is yours.',
  },
  INVALID_PROOF: {
    message: 'The proof does not verify',
    mayRetry: 'With a valid proof.',
    noteStillMine: UNTOUCHED,
  },
  ALREADY_IN_FLIGHT: {
    message: 'Another withdrawal of this note is on its way',
    mayRetry: 'When that one has failed; its requestId tells. An equal request gets the same answer instead.',
    noteStillMine: 'Until the other withdrawal confirms.',
  },
  SIMULATION_FAILED: {
    message: 'The call would revert',
    mayRetry: 'Once what the message names is mended, with the same body where that needs no new proof.',
    noteStillMine: UNTOUCHED,
  },
  TRANSACTION_ERROR: {
    message: 'The transaction reverted or could not be sent',
    mayRetry:
      'Yes: the failure freed the note here. A new proof is needed when a root has moved on, and patience where the message says how many seconds.',
    noteStillMine: 'Yes, unless somebody else spent it: check its nullifier on chain.',
  },
} as const satisfies Record<string, RelayRefusal>

/** A code with which a relay request is refused. */
export type RefusalCode = keyof typeof REFUSALS

/** A refusal of a well-formed request: becomes an answer with success false, never an error status. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly code: RefusalCode
  readonly detail: string | undefined

  /** `detail` says what was found and expected. It must not contain keys, recipients or proofs. */
  constructor(code: RefusalCode, detail?: string) {
    super(`${code}: ${REFUSALS[code].message}${detail ? ` (${detail})` : ''}`)
    this.code = code
    this.detail = detail
  }
}
