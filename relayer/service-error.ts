import type { z } from 'zod'

/** The kind of an error, in the service's own terms; schema/define/error-status.ts maps each kind to a status. */
export type ErrorKind =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'unprocessable'
  | 'too-many-requests'
  | 'legal'
  | 'bad-gateway'
  | 'unavailable'

/** Terms for a client that reads the code. */
interface CodeTerms {
  /** Name for programs. It is unique among definitions and written nowhere else. */
  code: string
  /** The meaning of the error, in a sentence. */
  meaning: string
  /** Whether the client may try again, and after what. */
  retry: string
  /** The state of the funds, if the error concerns a payment or a withdrawal. */
  fundsState?: string
}

/** An error that the status describes well enough, so it has no code. */
interface PlainTerms {
  code?: undefined
  meaning?: undefined
  retry?: undefined
  fundsState?: undefined
}

/** Terms of every definition, besides its code, message and members. */
export type ErrorTerms = (CodeTerms | PlainTerms) & {
  kind: ErrorKind
  /** The request's member that the error is about. If it is part of the path, the answer is `not-found`. */
  about?: string
  /** Seconds after which the same request may succeed, if equal for every occurrence. */
  retryAfterSeconds?: number
}

interface Occurrence {
  cause?: unknown
  /** Seconds after which the same request may succeed. */
  retryAfterSeconds?: number
}

/** The options of a throw. `details` is required unless the definition has no members, or only optional ones. */
type Options<Members extends z.ZodObject | undefined> = Members extends z.ZodObject
  ? Partial<z.output<Members>> extends z.output<Members>
    ? [options?: Occurrence & { details?: z.output<Members> }]
    : [options: Occurrence & { details: z.output<Members> }]
  : [options?: Occurrence]

/** One error of the service: everything known of it before it happens. */
export interface DefinedError<Terms extends ErrorTerms = ErrorTerms> {
  readonly terms: Terms
  /** The message of every occurrence, or of one. */
  readonly example: string
  /** Extra members of the error body, if there are any. */
  readonly members: z.ZodObject | undefined
  /** True if a thrown value is an occurrence of this error. */
  matches(thrown: unknown): thrown is ServiceError
}

interface WithMembers {
  members?: z.ZodObject
}

type MembersOf<Definition> = Definition extends { members: infer Members extends z.ZodObject }
  ? Members
  : undefined

/** An error whose occurrences all have one message: `throw quoteNotFound()`. */
export type FixedError<Definition extends ErrorTerms> = DefinedError<Definition> &
  ((...given: Options<MembersOf<Definition>>) => ServiceError)

/** An error whose message each throw gives: `throw badRequest('amount: expected more than zero')`. */
export type WordedError<Definition extends ErrorTerms> = DefinedError<Definition> &
  ((message: string, ...given: Options<MembersOf<Definition>>) => ServiceError)

/**
 * An error meant for clients; any other error is masked as an internal error and logged whole. Only definitions make
 * one, so that its code, status and members are always documented.
 */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly definition: DefinedError
  readonly kind: ErrorKind
  readonly code: string | undefined
  /** Seconds until a retry may succeed; undefined if unknown. */
  readonly retryAfterSeconds: number | undefined
  /** The extra members of the error body. Amounts are bigint. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    definition: DefinedError,
    message: string,
    options: Occurrence & { details?: Record<string, unknown>; kind?: ErrorKind } = {},
  ) {
    super(message, { cause: options.cause })
    this.definition = definition
    this.kind = options.kind ?? definition.terms.kind
    this.code = definition.terms.code
    this.retryAfterSeconds = options.retryAfterSeconds ?? definition.terms.retryAfterSeconds
    this.details = options.details ?? {}
  }
}

/**
 * Defines an error of the service, beside the feature that throws it. It serves the throw, the operations that list
 * it, the OpenAPI document, the error reference and the examples.
 *
 * @param definition.message The message of every occurrence. Without it each throw gives one, and the documentation
 * shows `example`.
 * @param definition.members Extra members of the error body, each with a description. Their types are those of
 * `details` at the throw; amounts are bigint and become decimal strings on the wire.
 * @example
 * export const quoteNotFound = defineError({ kind: 'not-found', message: 'There is no such quote' })
 * throw quoteNotFound()
 */
export function defineError<const Definition extends ErrorTerms & WithMembers & { message: string }>(
  definition: Definition,
): FixedError<Definition>
export function defineError<const Definition extends ErrorTerms & WithMembers & { example: string }>(
  definition: Definition,
): WordedError<Definition>
export function defineError({
  message,
  example = message ?? '',
  members,
  ...terms
}: ErrorTerms & WithMembers & { message?: string; example?: string }): DefinedError {
  const create = (...given: unknown[]) => {
    const text = message ?? String(given.shift())
    return new ServiceError(definition, text, given[0] as ConstructorParameters<typeof ServiceError>[2])
  }
  const definition: DefinedError = Object.assign(create, {
    terms,
    example,
    members,
    matches: (thrown: unknown): thrown is ServiceError =>
      thrown instanceof ServiceError && thrown.definition === definition,
  })
  return definition
}
