import { randomBytes } from 'node:crypto'
import { getNamedType, isLeafType, type GraphQLField, type GraphQLSchema } from 'graphql'
import { parseRest, type Operation } from '../../schema/define/operation.ts'
import { call, post, type GraphqlFault } from './call.ts'
import { ERROR_CLASSES } from '../../schema/define/error-status.ts'
import { errorsOf, statusOf } from '../../schema/define/operation-errors.ts'
import { sampleOf, type SampleInput } from './sample-input.ts'

/** The answer by REST or GraphQL; `status` is the HTTP status of REST, or the one that GraphQL's error names. */
export interface Outcome {
  status: number
  body: Record<string, unknown>
}

export interface Door {
  name: string
  ask(operation: Operation, input: SampleInput, token?: string): Promise<Outcome>
}

/** Each request has its own client address, to stay below every limit. */
const headersOf = (token: string | undefined) => ({
  'x-forwarded-for': `10.${randomBytes(3).join('.')}`,
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
})

/** Calls any operation by REST and by GraphQL; the service must trust one proxy. */
export function openDoors(url: string, graph: GraphQLSchema): Door[] {
  return [
    {
      name: 'REST',
      async ask(operation, { path, query, body }, token) {
        const { method, path: pattern } = parseRest(operation)
        const place = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(String(path[name])),
        )
        const search = new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
        )
        const answer = await call(`${url}${place}?${search}`, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body) }),
          headers: { ...headersOf(token), ...(operation.idempotency && { 'idempotency-key': 'sample' }) },
        })
        return { status: answer.status, body: answer.json ?? {} }
      },
    },
    {
      name: 'GraphQL',
      async ask(operation, input, token) {
        const { query, variables } = documentOf(operation, input, graph)
        const { json } = await post(`${url}/graphql`, { query, variables }, headersOf(token))
        const [fault] = (json?.['errors'] ?? []) as GraphqlFault[]
        const payload = (
          json?.['data'] as Record<string, { errors?: { code: string; message: string }[] } | null>
        )?.[operation.name]
        const [refusal] = (!fault && operation.kind === 'mutation' && payload?.errors) || []
        if (refusal) return { status: statusOfCode(operation, refusal.code), body: { ...refusal } }
        if (!fault) return { status: operation.status, body: {} }
        const { status, ...members } = fault.extensions
        return { status: Number(status), body: { ...members, message: fault.message } }
      },
    },
  ]
}

/** A body that is one of several is an object with one member. */
function bodyOf({ bodyOnWire }: Operation, body: unknown): unknown {
  if (!bodyOnWire) return body
  const { type, ...members } = sampleOf(bodyOnWire) as { type: string }
  return { [type]: members }
}

/** The status of an error of a payload, as REST has it. */
const statusOfCode = (operation: Operation, code: string): number =>
  errorsOf(operation)
    .filter(({ terms }) => terms.code === code)
    .map((error) => statusOf(error, operation))[0] ??
  Number(
    Object.entries(ERROR_CLASSES).find(
      ([, { error }]) => error.toUpperCase().replaceAll(' ', '_') === code,
    )?.[0],
  )

function documentOf(operation: Operation, input: SampleInput, graph: GraphQLSchema) {
  const root = operation.kind === 'query' ? graph.getQueryType() : graph.getMutationType()
  const field: GraphQLField<unknown, unknown> | undefined = root?.getFields()[operation.name]
  if (!field) throw new Error(`GraphQL has no ${operation.name}`)
  const given: Record<string, unknown> = {
    ...input.path,
    ...input.query,
    ...(input.body !== undefined && { input: bodyOf(operation, input.body) }),
    ...(operation.idempotency && { idempotencyKey: 'sample' }),
  }
  const args = field.args.filter(({ name }) => name in given)
  const declared = args.map(({ name, type }) => `$${name}: ${type.toString()}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  const isMutation = operation.kind === 'mutation'
  const selection = isLeafType(getNamedType(field.type))
    ? ''
    : isMutation
      ? '{ errors { code message } }'
      : '{ __typename }'
  const query = `${operation.kind} ${declared && `(${declared})`} { ${operation.name} ${passed && `(${passed})`} ${selection} }`
  return { query, variables: Object.fromEntries(args.map(({ name }) => [name, given[name]])) }
}
