import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildGraph } from '../../../schema/build-graph.ts'
import { operations } from '../../../schema/features.ts'
import { encodeGlobalId } from '../../../schema/graph/global-ids.ts'
import { sampleInput } from '../../harness/sample-input.ts'
import { fieldsOf, isRequired, selectAllFields } from '../../harness/select-all-fields.ts'
import { post } from '../../harness/call.ts'
import { startGateway, type OpenGateway } from '../open-gateway.ts'

const graph = buildGraph()

/** Id of the chain 1. */
const CHAIN_ID = encodeGlobalId('Chain', 1)

const roots = [
  ...fieldsOf(graph.getQueryType()).map((field) => ['query', field] as const),
  ...fieldsOf(graph.getMutationType()).map((field) => ['mutation', field] as const),
  ...fieldsOf(graph.getSubscriptionType()).map((field) => ['subscription', field] as const),
]

let gateway: OpenGateway

beforeAll(async () => {
  gateway = await startGateway({ trustedProxies: 1 })
})

afterAll(() => gateway.close())

it.each(roots.map(([kind, field]) => [kind, field.name, field] as const))(
  'the %s %s can be queried with all of its fields',
  async (kind, name, field) => {
    const operation = operations.find((one) => one.name === name)
    const sample = operation && sampleInput(operation, '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11')
    const given: Record<string, unknown> = {
      accountId: '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11',
      quoteId: '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11',
      id: CHAIN_ID,
      ids: [CHAIN_ID],
      ...sample?.path,
      ...sample?.query,
      input: sample?.body,
      idempotencyKey: 'key',
    }
    const args = field.args.filter(isRequired)
    const declared = args.map((arg) => `$${arg.name}: ${arg.type.toString()}`).join(', ')
    const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
    const query = `${kind} ${declared && `(${declared})`} { ${name}${passed && `(${passed})`} ${selectAllFields(field.type)} }`
    const variables = Object.fromEntries(args.map((arg) => [arg.name, given[arg.name]]))
    const { text } = await post(
      `${gateway.url}/graphql`,
      { query, variables },
      { accept: 'application/json, text/event-stream', 'x-forwarded-for': `10.${randomBytes(3).join('.')}` },
    )
    expect(text).not.toContain('QUERY_TOO_LARGE')
    expect(text).not.toContain('GRAPHQL_VALIDATION_FAILED')
    expect(text).not.toContain('is the limit')
  },
)
