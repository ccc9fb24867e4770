import { z } from 'zod'
import type { DefinedError } from '../../relayer/service-error.ts'
import { ERROR_CLASSES, type ErrorStatus, oauthCodeOf } from '../define/error-status.ts'
import { inspectShape, isEmptyShape } from '../define/inspect-shape.ts'
import { IDEMPOTENCY_KEY, parseRest, type Operation } from '../define/operation.ts'
import { codesOf, errorsOf, statusOf } from '../define/operation-errors.ts'
import { createErrorBody, legalErrorBody, oauthErrorBody } from './error-body.ts'
import { exampleOf } from './error-examples.ts'
import { introduction } from './introduction.ts'
import { createSchemaWriter, type JsonSchema } from './shape-to-schema.ts'

type Writer = ReturnType<typeof createSchemaWriter> & { errorBody: z.ZodType }

/** The contract's version. */
const VERSION = '1.0.0'

/** An OpenAPI document, with the members that the API reference rearranges. */
export type OpenApi = JsonSchema & { info: JsonSchema & { description: string }; tags: { name: string }[] }

/** The OpenAPI 3.1 document of an operation table. */
export function buildOpenApi(operations: readonly Operation[]): OpenApi {
  const errors = listErrors(operations)
  const writer = { ...createSchemaWriter(), errorBody: createErrorBody(errors) }
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of operations) {
    const { method, path } = parseRest(operation)
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, writer) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Stealth accounts, private payments and a privacy-pool relayer',
      version: VERSION,
      description: introduction(errors),
      license: { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(({ section }) => section))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: writer.components,
    },
  }
}

function describeOperation(operation: Operation, writer: Writer): JsonSchema {
  const { body } = operation.input
  return {
    operationId: operation.name,
    tags: [operation.section],
    summary: operation.summary,
    description: operation.description,
    security: { public: [], bearer: [{ bearer: [] }], optional: [{}, { bearer: [] }] }[operation.access],
    parameters: [
      ...parametersOf(operation, 'path', writer),
      ...parametersOf(operation, 'query', writer),
      ...(operation.idempotency ? [idempotencyHeader(operation.idempotency)] : []),
    ],
    ...(body && {
      requestBody: {
        required: !isEmptyShape(body),
        content: bodyContent(operation, writer.write(operation.bodyOnWire ?? body)),
      },
    }),
    responses: {
      [operation.status]: {
        description: 'Success',
        headers: RATE_LIMIT,
        content: answerContent(operation, writer),
      },
      ...errorResponses(operation, writer),
    },
  }
}

function bodyContent({ form }: Operation, schema: JsonSchema): JsonSchema {
  return { ...json(schema), ...(form && { 'application/x-www-form-urlencoded': { schema } }) }
}

function answerContent({ output, plainText }: Operation, writer: Writer): JsonSchema {
  const schema = writer.write(output)
  return { ...json(schema), ...(plainText && { 'text/plain': { schema } }) }
}

function parametersOf(operation: Operation, place: 'path' | 'query', writer: Writer): JsonSchema[] {
  return Object.entries(operation.input[place]?.shape ?? {}).map(([name, member]) => {
    // Documentation tools show the description of a parameter, not that of its schema.
    const { description = z.globalRegistry.get(member)?.description, ...schema } = writer.write(member)
    const { base, optional } = inspectShape(member)
    const isList = place === 'query' && base._zod.def.type === 'array'
    return {
      name,
      in: place,
      required: !optional,
      // Code generators send lists as the document says. `a=1,2` is the documented form; repeated parameters are
      // accepted as well.
      ...(isList && { style: 'form', explode: false }),
      ...(description !== undefined && { description }),
      schema,
    }
  })
}

function idempotencyHeader(presence: 'optional' | 'required'): JsonSchema {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: presence === 'required',
    description: IDEMPOTENCY_KEY,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
}

const header = (description: string, type: 'string' | 'integer'): JsonSchema => ({
  description,
  schema: { type },
})
const RETRY_AFTER = { 'Retry-After': header('Seconds.', 'integer') }
/** Headers of every answer of an operation. */
const RATE_LIMIT = {
  RateLimit: header(
    'What is left: `"operation";r=<requests>;t=<seconds until all are free again>`.',
    'string',
  ),
  'RateLimit-Policy': header('The limit: `"operation";q=<requests>;w=<seconds>`.', 'string'),
}

/** The errors of the operation and of the checks before it, and those that any request may get. */
function errorResponses(operation: Operation, writer: Writer): JsonSchema {
  const statuses = new Set<number>(errorsOf(operation).map((error) => statusOf(error, operation))).add(500)
  if (operation.input.body) statuses.add(413)
  return Object.fromEntries(
    [...statuses]
      .sort((one, other) => one - other)
      .map((status) => {
        const { error, meaning } = ERROR_CLASSES[status as ErrorStatus]
        const oauth = operation.errorShape === 'oauth' && (status === 400 || status === 401)
        const shape = oauth ? oauthErrorBody : status === 451 ? legalErrorBody : writer.errorBody
        const headers = {
          ...((status === 429 || status === 503) && RETRY_AFTER),
          ...RATE_LIMIT,
        }
        return [
          status,
          {
            description: `${error}. ${meaning}`,
            headers,
            content: {
              'application/json': {
                schema: oauth
                  ? withCodes(writer.write(shape), 'error', oauthCodesOf(operation, status))
                  : withCodes(writer.write(shape), 'code', codesOf(operation, status)),
                example: exampleOf(operation, status as ErrorStatus),
              },
            },
          },
        ]
      }),
  )
}

/** The error schema, restricted to the codes that an operation may answer with a status. */
function withCodes(schema: JsonSchema, member: 'code' | 'error', codes: readonly string[]): JsonSchema {
  if (codes.length === 0) return schema
  return { allOf: [schema, { type: 'object', properties: { [member]: { type: 'string', enum: codes } } }] }
}

/** The codes of RFC 6749 and RFC 6750 that an operation answers with a status. */
function oauthCodesOf(operation: Operation, status: 400 | 401): readonly string[] {
  return [...new Set(codesOf(operation, status).map((code) => oauthCodeOf(status, code)))]
}

/** Every error of the operations, in their order. */
function listErrors(operations: readonly Operation[]): readonly DefinedError[] {
  return [...new Set(operations.flatMap(errorsOf))]
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } }
}
