import { readdir, readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { REFUSALS } from '../../../relayer/pool/relay/refusals.ts'
import { buildOpenApi } from '../../../schema/openapi/build-openapi.ts'
import { codesOf, errorsOf, statusOf, takesInput } from '../../../schema/define/operation-errors.ts'
import { graphErrors } from '../../../schema/define/graph-errors.ts'
import { invalidToken } from '../../../relayer/identity/errors.ts'
import type { DefinedError } from '../../../relayer/service-error.ts'
import { operations } from '../../../schema/features.ts'
import { parseRest } from '../../../schema/define/operation.ts'
import { documentedCodes } from '../../harness/documented-codes.ts'

interface Described {
  parameters: { name: string; in: string; required: boolean; schema: { type?: string } }[]
  requestBody?: object
  responses: Record<
    string,
    { headers?: object; content?: Record<string, { schema?: object; example?: { message?: string } }> }
  >
  security: object[]
}

const document = buildOpenApi(operations)
const paths = document['paths'] as Record<string, Record<string, Described>>

it('the document is valid OpenAPI 3.1, and all references resolve', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result.errors).toBeUndefined()
  expect(result.valid).toBe(true)
  expect(validator.version).toBe('3.1')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  const { schemas } = document['components'] as { schemas: object }
  expect(references.length).toBeGreaterThan(0)
  for (const [, name] of references) expect(schemas).toHaveProperty(String(name))
})

it('no documented path ends with a slash', () => {
  expect(Object.keys(paths).filter((path) => path.endsWith('/'))).toEqual([])
})

it('a member of errors with a different meaning by code describes each meaning with its codes', () => {
  const { ErrorBody } = (document['components'] as { schemas: Record<string, unknown> }).schemas
  const { properties } = ErrorBody as { properties: Record<string, { description: string }> }
  const { minAmount, maxSendable } = properties
  expect(maxSendable?.description).toMatch(/whole tokens\. With WITHDRAWAL_AMOUNT_TOO_SMALL\./)
  expect(maxSendable?.description).toMatch(/smallest unit\. With INSUFFICIENT_FUNDS_FOR_FEES\./)
  expect(minAmount?.description).not.toContain('smallest unit')
})

describe.each(operations.map((operation) => [operation.rest, operation] as const))('%s', (_, operation) => {
  const { method, path } = parseRest(operation)
  const described = paths[path]?.[method.toLowerCase()]

  it('documents its success and the status of each of its errors with a JSON schema', () => {
    const errors = operation.errors.map((error) => statusOf(error, operation))
    const statuses = [operation.status, ...errors, 500, 503]
    if (operation.input.body) statuses.push(413)
    for (const status of statuses) {
      expect([status, described?.responses[status]?.content?.['application/json']?.schema]).toEqual([
        status,
        expect.any(Object),
      ])
    }
  })

  it('documents its limits and Idempotency-Key', () => {
    const limited = ['RateLimit', 'RateLimit-Policy']
    for (const [status, { headers }] of Object.entries(described?.responses ?? {})) {
      const retry = status === '429' || status === '503' ? ['Retry-After'] : []
      expect([status, Object.keys(headers ?? {})]).toEqual([status, [...retry, ...limited]])
    }
    const keys = described?.parameters.filter((parameter) => parameter.in === 'header')
    const key = { name: 'Idempotency-Key', required: operation.idempotency === 'required' }
    expect(keys).toMatchObject(operation.idempotency ? [key] : [])
  })

  it('documents the answer to a malformed request', () => {
    const shapes = Object.entries(operation.input).flatMap(([member, shape]) =>
      Object.keys(shape?.shape ?? {}).map((name) => `${member}.${name}`),
    )
    const mayBeMalformed = takesInput(operation.input) || operation.idempotency !== undefined
    expect(described?.responses['400'] !== undefined).toBe(mayBeMalformed)
    const { example } = described?.responses['400']?.content?.['application/json'] ?? {}
    if (operation.errorShape || !example) return
    const [place] = /^[\w.-]+(?=: )/.exec(example.message ?? '') ?? []
    expect([...shapes, 'Idempotency-Key']).toContain(place)
  })

  it('documents the codes of each error', () => {
    for (const [status, response] of Object.entries(described?.responses ?? {})) {
      if (Number(status) < 400) continue
      const codes = documentedCodes(document, operation, Number(status))
      const isOauth = operation.errorShape === 'oauth' && (status === '400' || status === '401')
      expect([status, codes]).toEqual([status, isOauth ? [] : [...codesOf(operation, Number(status))]])
      const { code } = (response.content?.['application/json']?.example ?? {}) as { code?: string }
      if (code !== undefined) expect(codes).toContain(code)
    }
    for (const error of errorsOf(operation))
      expect([error.example, described?.responses[statusOf(error, operation)]]).toEqual([
        error.example,
        expect.any(Object),
      ])
  })

  it('names its own limit in the 429', () => {
    const { example } = described?.responses['429']?.content?.['application/json'] ?? {}
    expect(example?.message).toBe(`Rate limit exceeded. Maximum ${operation.limit} requests per 1 minute.`)
  })

  it('documents whether it requires a token', () => {
    const schemes = described?.security.map((scheme) => Object.keys(scheme).join())
    expect(schemes).toEqual({ public: [], optional: ['', 'bearer'], bearer: ['bearer'] }[operation.access])
  })
})

it('a list in a query is one parameter, split at commas', () => {
  const lists = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ parameters }) => parameters)
    .filter((parameter) => parameter.in === 'query' && parameter.schema.type === 'array')
  expect(lists.length).toBeGreaterThanOrEqual(5)
  for (const list of lists) expect(list).toMatchObject({ style: 'form', explode: false })
})

it('no parameter is called data', () => {
  const named = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ parameters }) => parameters.map(({ name }) => name))
  expect(named).not.toContain('data')
})

it('the request for a payment address has an empty object as its body', () => {
  const body = paths['/v1/accounts/{accountId}/payment-address']?.['post']?.requestBody
  expect(body).toMatchObject({
    required: false,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentAddressRequest' } } },
  })
  const { schemas } = document['components'] as { schemas: Record<string, unknown> }
  expect(schemas['PaymentAddressRequest']).toMatchObject({ type: 'object', properties: {} })
})

/** Every error that the service defines, by the place of its definition. */
async function findDefinitions(): Promise<[name: string, definition: DefinedError][]> {
  const root = new URL('../../../', import.meta.url)
  const files = await Promise.all(
    ['relayer', 'schema', 'gateway'].map(async (room) =>
      (await readdir(new URL(room, root), { recursive: true }))
        .filter((name) => /(^|[/-])errors\.ts$/.test(name))
        .map((name) => `${room}/${name}`),
    ),
  )
  const modules = await Promise.all(
    files.flat().map(async (file) => [file, (await import(new URL(file, root).href)) as object] as const),
  )
  return modules.flatMap(([file, module]) =>
    Object.entries(module).flatMap(([name, definition]): [string, DefinedError][] =>
      isDefinition(definition) ? [[`${file} ${name}`, definition]] : [],
    ),
  )
}

const isDefinition = (value: unknown): value is DefinedError =>
  typeof value === 'function' && 'terms' in value && 'example' in value

it('lists every error that has a code with the operations that answer it, or with GraphQL', async () => {
  const listed = new Set<DefinedError>([...operations.flatMap(errorsOf), ...graphErrors])
  // Codes of failures before the operation runs, in an OAuth body.
  const throughOauth = new Set<unknown>([invalidToken])
  const definitions = await findDefinitions()
  expect(definitions.length).toBeGreaterThan(60)
  const unlisted = definitions.filter(
    ([, one]) => one.terms.code !== undefined && !listed.has(one) && !throughOauth.has(one),
  )
  expect(unlisted.map(([name]) => name)).toEqual([])
})

it('gives no two errors the same code', async () => {
  const codes = (await findDefinitions()).flatMap(([, { terms }]) => terms.code ?? [])
  expect(codes.toSorted()).toEqual([...new Set(codes)].toSorted())
})

it('every error says whether to retry and what happens to the funds', () => {
  const { description } = document['info'] as { description: string }
  for (const { code, mayRetry, noteStillMine } of REFUSALS) {
    const [, refusals = ''] = description.split('## When a withdrawal is refused')
    const row = refusals.split('\n').find((line) => line.startsWith(`| \`${code}\` |`))
    expect(row).toContain(mayRetry)
    expect(row).toContain(noteStillMine)
  }
})

it('the introduction names existing operations only', () => {
  const { description } = document['info'] as { description: string }
  const [, steps = ''] = description.split('## First steps')
  const named = [...(steps.split('## ')[0] ?? '').matchAll(/`(GET|POST) (\/[^`]*)`/g)]
  expect(named.length).toBeGreaterThan(5)
  for (const [, method, path] of named)
    expect(paths[String(path)]).toHaveProperty(String(method).toLowerCase())
})

it("the relayer's bodies allow no additional members at any depth", () => {
  const { schemas } = document['components'] as {
    schemas: Record<string, { additionalProperties?: boolean }>
  }
  for (const name of ['RelayerQuoteRequest', 'RelayRequest', 'FeeCommitment', 'Groth16Proof', 'Withdrawal']) {
    expect([name, schemas[name]?.additionalProperties]).toEqual([name, false])
  }
})

it.each([
  'available',
  'maxSendable',
  'feePaymentOptions',
  'resolvedAddress',
  'matchedAddress',
  'matchedPrefixCharsCount',
  'matchedSuffixCharsCount',
  'matchSource',
  'contactName',
])('the member %s of error bodies is documented', (member) => {
  const { schemas } = document['components'] as { schemas: Record<string, { properties: object }> }
  expect(schemas['ErrorBody']?.properties).toHaveProperty(member)
})

/** Texts in single quotes in the sources of a room that look like a code, other than where errors are defined. */
async function codesIn(room: string): Promise<string[]> {
  const root = new URL(`../../../${room}/`, import.meta.url)
  const files = (await readdir(root, { recursive: true })).filter(
    // Clients, such as the wallet's page, compare codes that they get; no definition reaches their packages.
    (name) => name.endsWith('.ts') && !/^(client|wallet)\/|(^|[/-])(errors|refusals)\.ts$/.test(name),
  )
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, root), 'utf8')))
  return texts.flatMap((text) =>
    [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)].map(([, code]) => String(code)),
  )
}

it('writes the code of an error nowhere but in its definition', async () => {
  const defined = new Set((await findDefinitions()).flatMap(([, { terms }]) => terms.code ?? []))
  const written = (await Promise.all(['relayer', 'gateway', 'schema'].map(codesIn))).flat()
  expect(written.length).toBeGreaterThan(10)
  expect(written.filter((code) => defined.has(code))).toEqual([])
})

it('every code is explained', async () => {
  const { description } = document['info'] as { description: string }
  const codes = (await findDefinitions()).flatMap(([, { terms }]) => terms.code ?? [])
  expect(codes.length).toBeGreaterThan(45)
  expect(codes.filter((code) => !description.includes(`| \`${code}\` |`))).toEqual(['invalid_token'])
})
