import type { DefinedError } from '../../relayer/service-error.ts'
import { parseRest, type Operation } from '../define/operation.ts'
import { errorsOf } from '../define/operation-errors.ts'
import type { JsonSchema } from './shape-to-schema.ts'
import { writeType } from './type-of-schema.ts'

interface Described {
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema; description?: string }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content: Content }>
}
type Content = Record<string, { schema: JsonSchema }>

/**
 * The module of types that the client package has of the API: every request, answer and error code.
 * @param document The OpenAPI document of the operations.
 */
export function printClientTypes(operations: readonly Operation[], document: JsonSchema): string {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Described>>
    components: { schemas: Record<string, JsonSchema> }
  }
  const errors = [...new Set(operations.flatMap(errorsOf))].filter(({ terms }) => terms.code !== undefined)
  const described = operations.map((operation) => {
    const { method, path } = parseRest(operation)
    return { operation, method, path, terms: paths[path]?.[method.toLowerCase()] }
  })
  return [
    '// SPDX-License-Identifier: MIT',
    '// Printed from the operation table by `npm run print`: do not edit it.',
    "import type { Address, Hex } from 'viem'",
    '',
    '/** The named shapes of requests and answers, in wire form: amounts are decimal strings. */',
    'export interface Schemas {',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => member(name, schema)),
    '}',
    '',
    '/** Every operation: its input by place, its answer, and the codes of the errors that it declares. */',
    'export interface Operations {',
    ...described.flatMap(({ operation, terms }) => (terms ? typeOfOperation(operation, terms) : [])),
    '}',
    '',
    '/** The members of an error, by its code, beside `error` and `message`. */',
    'export interface ErrorMembers {',
    ...errors.flatMap((error) => typeOfError(error, components.schemas['ErrorBody'] ?? {})),
    '}',
    '',
    '/** Method and path of each operation, and whether it honours an Idempotency-Key. */',
    'export const OPERATIONS = {',
    ...described.map(
      ({ operation: { name, idempotency }, method, path }) =>
        `  ${name}: ['${method}', '${path}', ${idempotency !== undefined}],`,
    ),
    '} as const',
    '',
    '/** By code of an error: whether the same request may succeed later, another one may, or none. */',
    "export const RETRIES: Readonly<Record<keyof ErrorMembers, 'later' | 'changed' | 'never'>> = {",
    ...errors.map(({ terms: { code, retry } }) => `  ${code}: '${retryClass(retry ?? '')}',`),
    '}',
    '',
  ].join('\n')
}

/** The class of a declared `retry`, by its first words. */
export function retryClass(retry: string): 'later' | 'changed' | 'never' {
  if (/^No\b/.test(retry)) return 'never'
  return /^(?:After `Retry-After`|Later|In some seconds|When gas is cheaper)/.test(retry)
    ? 'later'
    : 'changed'
}

function typeOfOperation({ name, summary, errors, ...operation }: Operation, terms: Described): string[] {
  const { parameters, requestBody, responses } = terms
  const placed = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const [answer] = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content['application/json']?.schema)
  const codes = errorsOf({ ...operation, errors }).flatMap((error) => error.terms.code ?? [])
  const body = requestBody?.content['application/json']?.schema
  return [
    `  /** ${summary}. */`,
    `  ${name}: {`,
    `    path: ${typeOfParameters(placed('path'))}`,
    `    query: ${typeOfParameters(placed('query'))}`,
    `    body: ${body ? writeType(body, 4) : 'undefined'}`,
    `    answer: ${answer ? writeType(answer, 4) : 'undefined'}`,
    `    code: ${[...new Set(codes)].map((code) => `'${code}'`).join(' | ') || 'never'}`,
    '  }',
  ]
}

function typeOfParameters(parameters: Described['parameters']): string {
  if (parameters.length === 0) return '{}'
  const members = parameters.map(
    ({ name, required, schema }) => `${quoted(name)}${required ? '' : '?'}: ${writeType(schema, 6)}`,
  )
  return `{ ${members.join('; ')} }`
}

/** The members that `ErrorBody` has for this error; they say so themselves. */
function typeOfError({ terms: { code, meaning, retry }, members }: DefinedError, body: JsonSchema): string[] {
  const properties = (body['properties'] ?? {}) as Record<string, JsonSchema>
  const own = Object.entries(members?.shape ?? {}).map(([name, shape]) => {
    const isOptional = (shape as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined)
    return `${quoted(name)}${isOptional.success ? '?' : ''}: ${writeType(properties[name] ?? {}, 4)}`
  })
  return [
    `  /** ${meaning} Retry: ${retry} */`,
    `  ${code}: ${own.length > 0 ? `{ ${own.join('; ')} }` : '{}'}`,
  ]
}

function member(name: string, schema: JsonSchema): string[] {
  const { description } = schema as { description?: string }
  return [...(description ? [`  /** ${description} */`] : []), `  ${quoted(name)}: ${writeType(schema, 2)}`]
}

const quoted = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)
