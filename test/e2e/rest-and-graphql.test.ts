import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import {
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLOutputType,
} from 'graphql'
import type { core } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameArguments } from '../../gateway/graphql/failure-extensions.ts'
import { buildGraph } from '../../schema/build-graph.ts'
import { parseRest, type Operation } from '../../schema/define/operation.ts'
import { operations } from '../../schema/features.ts'
import { call, post, type GraphqlFault } from '../harness/call.ts'
import { inputsOf } from '../harness/input-arbitrary.ts'
import { isRequired } from '../harness/select-all-fields.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { openAccount, OWN_LIMITS, textOf } from '../relayer/account/open-account.ts'

type Json = Record<string, unknown>
interface Input {
  path: Json
  query: Json
  body?: Json
}
/** A client with an account. */
interface Caller {
  accountId: string
  authorization: string
}

/** Requests per operation; the same in every run, so that a failure can be repeated. */
const RUNS = { numRuns: 4, seed: 37 }

/** Operations whose input differs by design, or that one of two callers may do only once. */
const APART: Readonly<Record<string, string>> = {
  submitQuote: 'GraphQL reads what was signed from the quote',
  claimSubdomain: 'a name has one owner',
  logout: 'it ends the session that asks',
  verify: 'it uses up a nonce',
  nonce: 'each answer is another',
  createAccount: 'a caller has one',
}

const graph = buildGraph()
const common = operations.filter(
  ({ name, kind }) =>
    !(name in APART) &&
    (kind === 'query' ? graph.getQueryType() : graph.getMutationType())?.getFields()[name],
)

let service: TestService
/** Two accounts that have done the same: one asks by REST, the other by GraphQL, where a request changes something. */
let callers: [Caller, Caller]
let texts: string[]
/** Address of the first. */
let ownAddress: string

beforeAll(async () => {
  service = await startTestService({ http: OWN_LIMITS.http })
  const open = async () => {
    const owner = await openAccount(service.url)
    const issued = await owner.send('POST', `${owner.path}/payment-address`, {})
    return { owner, address: textOf(issued, 'address') }
  }
  const [one, two] = [await open(), await open()]
  ownAddress = one.address
  callers = [one, two].map(({ owner }) => ({
    accountId: owner.accountId,
    authorization: owner.headers['authorization']!,
  })) as [Caller, Caller]
  texts = [
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    '0x0000000000000000000000000000000000000000',
    '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11',
    '0',
    '1000',
    'name',
    '0x12345678',
    '2030-01-01T00:00:00.000Z',
    'https://service.example',
    'somebody@service.example',
    'bmFtZQ==',
    `0x${'11'.repeat(65)}`,
    `0x${'11'.repeat(32)}`,
  ]
})
afterAll(() => service?.stop())

/** Each request has its own client address, unless one is given, to stay below every limit. */
const headersOf = ({ authorization }: Caller, address = `10.${randomBytes(3).join('.')}`) => ({
  'x-forwarded-for': address,
  authorization,
})

interface Outcome {
  status: number
  /** The error without its status. */
  failure: Json | null
  answer: unknown
}

async function askRest(
  operation: Operation,
  input: Input,
  caller: Caller,
  address?: string,
): Promise<Outcome> {
  const { method, path: pattern } = parseRest(operation)
  const path = { ...input.path, accountId: caller.accountId } as Json
  const place = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
  const search = new URLSearchParams(
    Object.entries(input.query).map(([name, value]) => [name, String(value)] as [string, string]),
  )
  const { status, json, text } = await call(`${service.url}${place}?${search}`, {
    method,
    ...(operation.input.body && { body: JSON.stringify(input.body ?? {}) }),
    headers: {
      ...headersOf(caller, address),
      accept: 'application/json',
      ...(operation.idempotency === 'required' && { 'idempotency-key': randomBytes(8).toString('hex') }),
    },
  })
  if (status >= 400) return { status, failure: json ?? {}, answer: null }
  return { status, failure: null, answer: json ?? (text ? JSON.parse(text) : null) }
}

async function askGraphql(
  operation: Operation,
  input: Input,
  { caller, selection, address }: { caller: Caller; selection: string; address?: string | undefined },
): Promise<Outcome> {
  const root = operation.kind === 'query' ? graph.getQueryType() : graph.getMutationType()
  const field = root!.getFields()[operation.name]!
  const given: Json = {
    ...input.path,
    ...input.query,
    accountId: caller.accountId,
    idempotencyKey: randomBytes(8).toString('hex'),
    input: inputOf(operation, input.body ?? {}),
  }
  const args = field.args.filter(({ name }) => given[name] !== undefined)
  const declared = args.map(({ name, type }) => `$${name}: ${type.toString()}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  const query = `${operation.kind} ${declared && `(${declared})`} { ${operation.name} ${passed && `(${passed})`} ${selection} }`
  const variables = Object.fromEntries(args.map(({ name }) => [name, given[name]]))
  const { json } = await post(`${service.url}/graphql`, { query, variables }, headersOf(caller, address))
  const [fault] = (json?.['errors'] ?? []) as GraphqlFault[]
  if (fault) {
    const { status, retryAfter: _, ...members } = fault.extensions
    return { status: Number(status), failure: { ...members, message: fault.message }, answer: null }
  }
  const data = json?.['data'] as Json | undefined
  const answer = data?.[operation.name]
  const [refusal] = (operation.kind === 'mutation' && (answer as { errors?: Json[] } | null)?.errors) || []
  return { status: operation.status, failure: refusal ?? null, answer }
}

/** A body that is one of several is an object with one member. */
function inputOf({ bodyOnWire }: Operation, body: Json): Json {
  const { def } = (bodyOnWire as core.$ZodTypes | undefined)?._zod ?? {}
  if (def?.type !== 'union' || !('discriminator' in def)) return body
  const { [String(def.discriminator)]: type, ...members } = body
  return { [String(type).replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]: members }
}

/** Selects what REST answered, as far as GraphQL has it under the same name. */
function select(type: GraphQLOutputType, value: unknown): string | null {
  const named = getNamedType(type)
  const isObject = typeof value === 'object' && value !== null
  if (isLeafType(named))
    return !isObject || isListType(getNullableType(type)) || named.name === 'JSON' ? '' : null
  if (!isObject || !(isObjectType(named) || isInterfaceType(named))) return null
  const isNode = named.getInterfaces().some(({ name }) => name === 'Node')
  const samples = (Array.isArray(value) ? value : [value]) as Json[]
  const members = new Map<string, string>()
  for (const [name, field] of Object.entries(named.getFields())) {
    if (field.args.some(isRequired) || (isNode && name === 'id')) continue
    const found = samples.map((sample) => sample?.[name]).find((one) => one !== undefined && one !== null)
    const selection = found === undefined ? null : select(field.type, found)
    if (selection !== null) members.set(name, selection)
  }
  return `{ __typename ${[...members].map(([name, selection]) => `${name} ${selection}`).join(' ')} }`
}

/** How many facts were compared in all. */
let compared = 0

/** Compares what GraphQL answered with the same members of REST's answer; a Decimal is a number there. */
function compare(graphql: unknown, rest: unknown, at: string): void {
  if (Array.isArray(graphql) && Array.isArray(rest)) {
    expect(graphql.length, at).toBe(rest.length)
    graphql.forEach((one, index) => compare(one, rest[index], `${at}[${index}]`))
  } else if (typeof graphql === 'object' && graphql !== null && typeof rest === 'object' && rest !== null) {
    if (!('__typename' in graphql)) expect(graphql, at).toEqual(rest)
    else
      for (const [name, value] of Object.entries(graphql))
        if (name !== '__typename') compare(value, (rest as Json)[name], `${at}.${name}`)
  } else {
    compared += 1
    const inGraph = typeof rest === 'number' && typeof graphql === 'string' ? Number(graphql) : graphql
    // GraphQL's enums have no hyphens.
    const isName = typeof rest === 'string' && /^[a-z]+(-[a-z]+)+$/.test(rest)
    expect(inGraph, at).toEqual(isName && inGraph !== rest ? rest.replaceAll('-', '_') : (rest ?? null))
  }
}

/** The twin of a mutation does not own the address of the first. */
function arbitraryOf({ kind, input, bodyOnWire }: Operation): fc.Arbitrary<Input> {
  const known = kind === 'query' ? [...texts, ownAddress] : texts
  const of = (shape: core.$ZodType | undefined) =>
    shape ? (inputsOf(shape, known) as fc.Arbitrary<Json>) : fc.constant({})
  return fc.record({ path: of(input.path), query: of(input.query), body: of(bodyOnWire ?? input.body) })
}

test.each(common.map((operation) => [operation.name, operation] as const))(
  '%s answers the same facts and errors by GraphQL as by REST',
  async (_, operation) => {
    const root = operation.kind === 'query' ? graph.getQueryType() : graph.getMutationType()
    const type = root!.getFields()[operation.name]!.type
    await fc.assert(
      fc.asyncProperty(arbitraryOf(operation), async (input) => {
        const [caller, twin] = callers
        const rest = await askRest(operation, input, caller)
        const isQuery = operation.kind === 'query'
        const selection = isQuery
          ? (select(type, rest.answer) ?? '{ __typename }')
          : '{ errors { code message } }'
        const graphql = await askGraphql(operation, input, {
          caller: isQuery ? caller : twin,
          selection: isLeafType(getNamedType(type)) ? '' : selection,
        })
        if (rest.failure || graphql.failure) {
          const { message, error_description, error, code } = rest.failure ?? {}
          expect(graphql.failure, JSON.stringify([input, rest, graphql])).not.toBeNull()
          expect(graphql.failure).toMatchObject({
            message: nameArguments(String(message ?? error_description)),
            ...(code !== undefined && { code }),
            // OAuth names every malformed request `invalid_request`.
            ...(error_description !== undefined && error !== 'invalid_request' && { code: error }),
          })
          return
        }
        // An answer that changes from one moment to the next differs by REST, too.
        const again = isQuery ? await askRest(operation, input, caller) : rest
        if (isQuery && JSON.stringify(again.answer) === JSON.stringify(rest.answer))
          compare(graphql.answer, rest.answer, operation.name)
      }),
      RUNS,
    )
  },
)

test('requests by REST and by GraphQL share the limit of their operation, in any order', async () => {
  const limited = operations.filter(({ name }) =>
    ['addAccountToken', 'exchangeCode', 'referralAvailability'].includes(name),
  )
  expect(limited).toHaveLength(3)
  for (const operation of limited) {
    const [input] = fc.sample(arbitraryOf(operation), { numRuns: 1, seed: RUNS.seed })
    const address = `10.${randomBytes(3).join('.')}`
    const fresh = await openAccount(service.url)
    const caller = { accountId: fresh.accountId, authorization: fresh.headers['authorization']! }
    const selection = operation.kind === 'query' ? '{ __typename }' : '{ errors { code } }'
    const ask = (byRest: boolean) =>
      byRest
        ? askRest(operation, input!, caller, address)
        : askGraphql(operation, input!, { caller, selection, address })
    const order = fc.sample(fc.boolean(), { numRuns: operation.limit, seed: RUNS.seed })
    for (const byRest of order) expect((await ask(byRest)).status).not.toBe(429)
    expect([(await ask(true)).status, (await ask(false)).status]).toEqual([429, 429])
  }
})

test('these comparisons are of many facts', () => {
  expect(common.length).toBeGreaterThan(75)
  expect(compared).toBeGreaterThan(200)
})
