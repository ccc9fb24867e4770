/** The documented consequences of a refusal of `POST /relayer/request`. */
export interface RefusalTerms {
  /** Code at the beginning of the answer's `error`, for programs. Written nowhere else. */
  code: string
  message: string
  mayRetry: string
  noteStillMine: string
}

/**
 * One refusal: makes an occurrence, to be thrown. `detail` says what was found and expected. It must not contain
 * keys, recipients or proofs.
 */
export type Refusal = Readonly<RefusalTerms> & ((detail?: string) => RefusedError)

/**
 * A refusal of a well-formed request: it becomes an answer with success false, never an error status. Only
 * definitions make one, so that every code is documented.
 */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly refusal: Refusal
  readonly detail: string | undefined

  constructor(refusal: Refusal, detail?: string) {
    super(`${refusal.code}: ${refusal.message}${detail ? ` (${detail})` : ''}`)
    this.refusal = refusal
    this.detail = detail
  }
}

/**
 * Defines a refusal of `POST /relayer/request`, for the throw and for the reference of refusals.
 *
 * @example
 * export const unknownScope = defineRefusal({ code: 'UNKNOWN_SCOPE', message: 'No pool of this chain has that scope', … })
 * throw unknownScope()
 */
export function defineRefusal(terms: RefusalTerms): Refusal {
  const refusal: Refusal = Object.assign((detail?: string) => new RefusedError(refusal, detail), terms)
  return refusal
}
