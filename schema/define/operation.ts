import type { z } from 'zod'
import type { RunContext } from './context.ts'
import { createAnswerEncoder, type AnswerOf } from './encode.ts'
import { limitOf } from './limits.ts'
import type { DefinedError, ServiceError } from '../../relayer/service-error.ts'
import type { OfShapes, Shape } from './shape.ts'
import { createTextWriter, type AnswerText } from './text-writer.ts'
import type { AnswerPart } from '../../relayer/packed-text.ts'

/** The places of a request's input; the input side of each shape is the wire form. */
export interface InputShapes {
  path?: Shape
  query?: Shape
  body?: Shape
}

/** The parsed input with the same members: `input.query.chainId`. */
export type InputOf<Shapes extends InputShapes> = {
  [Member in keyof Shapes]: Shapes[Member] extends z.ZodType ? z.output<Shapes[Member]> : never
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Meaning of an Idempotency-Key, for the documentation of REST and GraphQL. */
export const IDEMPOTENCY_KEY =
  'The same key with the same input answers within 24 hours what it answered first; with another input it is refused.'

interface OperationTerms {
  /** Name of the GraphQL field and the OpenAPI operationId. */
  name: string
  /** A statement of a query that writes to the database fails (db/refuse-writes.ts). */
  kind: 'query' | 'mutation'
  /** Method and path, path parameters in braces: `GET /v1/accounts/{accountId}`. */
  rest: `${Method} /${string}`
  /** Status of a success. */
  status: number
  access: 'public' | 'bearer' | 'optional'
  /** A read whose answer grows with the history of the account: few of one account run at once. */
  isCostly?: true
  /** Whether an Idempotency-Key header is honoured, and whether it must be there. */
  idempotency?: 'optional' | 'required'
  /**
   * The field of `Account` under which GraphQL offers a query of an account as well; the account's id is given there.
   */
  field?: string
  /** The field of GraphQL's entities that replaces the operation's own, which is deprecated there: `Account.balances`. */
  instead?: string
  /**
   * Errors that it may throw. Errors of access, limits, validation and idempotency follow from the other members.
   * Errors that the contract names for it are listed even if it never throws them at present.
   */
  errors: readonly DefinedError[]
  /** The error for a token without access to the account, if the contract has no 403 for the operation. */
  foreignAccount?: DefinedError & (() => ServiceError)
  /** `oauth` errors are `{error, error_description}`. */
  errorShape?: 'oauth'
  /** Seconds for which caches may give the answer to a GET without a token; absent where it may not be stored. */
  sharedSeconds?: number
  /** Each run answers something of its own, so the fields of a document do not share one. */
  neverShared?: true
  /** The answer is one text, which is sent without JSON quotes to clients that prefer text/plain. */
  plainText?: true
  /** The body may also come as application/x-www-form-urlencoded. */
  form?: true
  /** The body as OpenAPI shows it, if that is more precise than the shape for GraphQL. */
  bodyOnWire?: z.core.$ZodType
  /** Integers of the input may be numbers, decimal strings or 0x-hex, even if the shape has only one of these. */
  anyIntegers?: true
  /**
   * Checks a stored answer, in wire form, before it is repeated for an Idempotency-Key.
   *
   * @throws ServiceError when the answer is no longer true; the key stays used.
   */
  checkRepeated?(answer: unknown, input: ParsedInput, context: RunContext): Promise<void>
  /** Heading of the operation in the API reference. */
  section: string
  summary: string
  description: string
}

/** An operation as its feature defines it, with its input and output types. */
export interface OperationDefinition<
  Shapes extends InputShapes,
  Output extends z.ZodType,
> extends OperationTerms {
  input: Shapes
  output: Output & OfShapes<Output>
  /** Requests per minute and client, if not the default of its sort (`limits.ts`). */
  limit?: number
  /** One call into the service. It returns domain values (bigint, Date), which `invoke` encodes by the shape. */
  run(input: InputOf<Shapes>, context: RunContext<AnswerOf<Output>>): Promise<AnswerOf<Output>>
  /** The same answer for REST, if it is long and mostly the same for many. */
  answerInParts?(input: InputOf<Shapes>, context: RunContext): Promise<PartedAnswer>
}

/** An operation without its types. Only `invoke` runs it, after validation by the shapes of its definition. */
export interface Operation extends OperationTerms {
  input: InputShapes
  output: z.ZodType
  /** Requests per minute and client. */
  limit: number
  run(input: ParsedInput, context: RunContext<unknown>): Promise<unknown>
  answerInParts?(input: ParsedInput, context: RunContext): Promise<PartedAnswer>
  /** Converts an answer to its wire form. */
  encode(answer: unknown): Promise<unknown>
  /** The same as JSON, cheaper than encoding first. */
  writeText(answer: unknown): Promise<AnswerText>
}

/** Input that `invoke` has validated. */
export type ParsedInput = Partial<Record<keyof InputShapes, unknown>>

/**
 * Defines one operation of the API. The REST route, the GraphQL query or mutation, the OpenAPI entry, the validation,
 * the rate limit and the error contract follow from it. A query whose `run` writes to the database fails.
 *
 * @throws Error for a mutation by GET.
 */
export function defineOperation<Shapes extends InputShapes, Output extends z.ZodType>(
  definition: OperationDefinition<Shapes, Output>,
): Operation {
  const { answerInParts, ...terms } = definition
  if (definition.kind === 'mutation' && definition.rest.startsWith('GET '))
    throw new Error(`${definition.name} changes something: GET is for queries, which may not write`)
  return {
    ...terms,
    limit: limitOf(definition),
    run: (input, context) => definition.run(input as InputOf<Shapes>, context),
    ...(answerInParts && {
      answerInParts: (input: ParsedInput, context: RunContext) =>
        answerInParts(input as InputOf<Shapes>, context),
    }),
    encode: createAnswerEncoder(definition.output),
    writeText: createTextWriter(definition.output),
  }
}

/** Method and path of an operation's REST binding. */
export function parseRest(operation: { rest: Operation['rest'] }): { method: Method; path: string } {
  const [method, path] = operation.rest.split(' ') as [Method, string]
  return { method, path }
}

/** The remaining members of the definition of a public query. */
type PublicDefinition<Shapes extends InputShapes, Output extends z.ZodType> = Omit<
  OperationDefinition<Shapes, Output>,
  'kind' | 'status' | 'access' | 'errors'
> & {
  /** Default: only the errors of limits and validation. */
  errors?: Operation['errors']
}

/** A query that needs no token and ignores one that is sent. */
export function publicQuery<Shapes extends InputShapes, Output extends z.ZodType>(
  definition: PublicDefinition<Shapes, Output>,
): Operation {
  return defineOperation({ errors: [], ...definition, kind: 'query', status: 200, access: 'public' })
}

/** A long answer that is mostly the same for many: its JSON in parts, some of which are compressed already. */
export interface PartedAnswer {
  /** Differs whenever the answer to the same request does. */
  version: string
  /** HTTP's Cache-Control of an answer that is the same for everybody; absent for an answer that may not be cached. */
  cacheControl?: string
  /**
   * Runs only where the client does not have that version.
   *
   * @throws ServiceError what the operation may throw.
   */
  parts(): Promise<readonly AnswerPart[]>
}
