import type { z } from 'zod'
import type { RunContext } from './context.ts'
import { createEncoder, type AnswerOf } from './encode.ts'
import type { DefinedError, ServiceError } from '../../relayer/service-error.ts'
import type { OfShapes, Shape } from './shape.ts'

/** Where a request may carry its input; the input side of each shape is what travels. */
export interface InputShapes {
  path?: Shape
  query?: Shape
  body?: Shape
}

/** The parsed input, by the same members: `input.query.chainId`. */
export type InputOf<Shapes extends InputShapes> = {
  [Member in keyof Shapes]: Shapes[Member] extends z.ZodType ? z.output<Shapes[Member]> : never
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What an Idempotency-Key does, for the documentation of both doors. */
export const IDEMPOTENCY_KEY =
  'The same key with the same input answers within 24 hours what it answered first; with another input it is refused.'

interface OperationTerms {
  /** Name of the GraphQL field and the OpenAPI operationId. */
  name: string
  kind: 'query' | 'mutation'
  /** Method and path, path parameters in braces: `GET /v1/accounts/{accountId}`. */
  rest: `${Method} /${string}`
  /** Status of a success. */
  status: number
  access: 'public' | 'bearer' | 'optional'
  /** Requests per minute and client; absent where unlimited. */
  limit?: number
  /** Whether an Idempotency-Key header is honoured, and whether it must be there. */
  idempotency?: 'optional' | 'required'
  /** Where a query of an account is offered by GraphQL too: as this field of `Account`, with the account's id given. */
  field?: string
  /**
   * Errors that it may throw. Those of access, limits, validation and idempotency are known from the other members. It
   * also lists those that the contract names for it and that it does not throw at present.
   */
  errors: readonly DefinedError[]
  /** What a token without access to the account is told, where the contract has no 403 for that. */
  foreignAccount?: DefinedError & (() => ServiceError)
  /** `oauth` errors are `{error, error_description}`. */
  errorShape?: 'oauth'
  /** The answer is one text, written bare for who prefers text/plain over JSON. */
  plainText?: true
  /** The body may also come as application/x-www-form-urlencoded. */
  form?: true
  /** Heading under which the API reference lists it. */
  section: string
  summary: string
  description: string
}

/** An operation as its feature writes it, its input and output types intact. */
export interface OperationDefinition<
  Shapes extends InputShapes,
  Output extends z.ZodType,
> extends OperationTerms {
  input: Shapes
  output: Output & OfShapes<Output>
  /** One call into the service. Its answer holds domain values (bigint, Date): `invoke` writes them by the shape. */
  run(input: InputOf<Shapes>, context: RunContext): Promise<AnswerOf<Output>>
}

/** An operation as the machinery sees it; only `invoke` runs it, after validation by the very shapes it was defined with. */
export interface Operation extends OperationTerms {
  input: InputShapes
  output: z.ZodType
  run(input: ParsedInput, context: RunContext): Promise<unknown>
  /** Writes an answer as it travels. */
  encode(answer: unknown): unknown
}

/** Input that `invoke` has validated. */
export type ParsedInput = Partial<Record<keyof InputShapes, unknown>>

/**
 * Defines one operation of the API. From it come the REST route, the GraphQL query or mutation, the OpenAPI entry,
 * the validation, the rate limit and the error contract.
 */
export function defineOperation<Shapes extends InputShapes, Output extends z.ZodType>(
  definition: OperationDefinition<Shapes, Output>,
): Operation {
  return {
    ...definition,
    run: (input, context) => definition.run(input as InputOf<Shapes>, context),
    encode: createEncoder<z.ZodType>(definition.output),
  }
}

/** Method and path of an operation's REST binding. */
export function parseRest(operation: Pick<Operation, 'rest'>): { method: Method; path: string } {
  const [method, path] = operation.rest.split(' ') as [Method, string]
  return { method, path }
}
