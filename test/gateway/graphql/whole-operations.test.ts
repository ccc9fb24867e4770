import { randomBytes } from 'node:crypto'
import {
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'
import { expect, it } from 'vitest'
import { buildGraph } from '../../../schema/build-graph.ts'
import { operations } from '../../../schema/features.ts'
import { sampleInput } from '../../harness/sample-input.ts'
import { post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'

type Field = GraphQLField<unknown, unknown>
const graph = buildGraph()

const isRequired = ({ type }: GraphQLArgument) => isNonNullType(type)
const fieldsOf = (type: GraphQLObjectType | null | undefined): Field[] =>
  Object.values(type?.getFields() ?? {})

/** Selects every field as a generator does, except fields with required arguments and recursive types. */
function selectAll(type: GraphQLOutputType, above: readonly string[] = []): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (!isObjectType(named)) throw new Error(`${named.name} is neither leaf nor object`)
  const within = [...above, named.name]
  const members = fieldsOf(named)
    .filter((field) => !field.args.some(isRequired) && !within.includes(getNamedType(field.type).name))
    .map((field) => `${field.name} ${selectAll(field.type, within)}`)
  return `{ ${members.join(' ')} }`
}

const roots = [
  ...fieldsOf(graph.getQueryType()).map((field) => ['query', field] as const),
  ...fieldsOf(graph.getMutationType()).map((field) => ['mutation', field] as const),
  ...fieldsOf(graph.getSubscriptionType()).map((field) => ['subscription', field] as const),
]

it.each(roots.map(([kind, field]) => [kind, field.name, field] as const))(
  'the %s %s can be queried with all of its fields',
  async (kind, name, field) => {
    const { url } = await openGateway({ trustedProxies: 1 })
    const operation = operations.find((one) => one.name === name)
    const sample = operation && sampleInput(operation, '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11')
    const given: Record<string, unknown> = {
      accountId: '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11',
      quoteId: '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11',
      ...sample?.path,
      ...sample?.query,
      input: sample?.body,
      idempotencyKey: 'key',
    }
    const args = field.args.filter(isRequired)
    const declared = args.map((arg) => `$${arg.name}: ${arg.type.toString()}`).join(', ')
    const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
    const query = `${kind} ${declared && `(${declared})`} { ${name}${passed && `(${passed})`} ${selectAll(field.type)} }`
    const variables = Object.fromEntries(args.map((arg) => [arg.name, given[arg.name]]))
    const { text } = await post(
      `${url}/graphql`,
      { query, variables },
      { accept: 'application/json, text/event-stream', 'x-forwarded-for': `10.${randomBytes(3).join('.')}` },
    )
    expect(text).not.toContain('QUERY_TOO_LARGE')
    expect(text).not.toContain('GRAPHQL_VALIDATION_FAILED')
    expect(text).not.toContain('exceeds the limit')
  },
)
