import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { post, relayBody, untilFinal, type RelayBody } from '../harness/relay-requests.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../vectors/load-relay-vectors.ts'

let service: TestService
let vectors: RelayVectors
let body: RelayBody
let other: RelayBody

beforeAll(async () => {
  vectors = loadRelayVectors()
  service = await startTestService({}, { hasVectorDeposits: true })
  body = await relayBody(vectors.relays[0]!)
  other = await relayBody(vectors.relays[1]!)
})
afterAll(() => service?.stop())

/** A proof without them means the same, because published clients leave them out. */
const MAY_BE_LEFT_OUT = new Set(['proof.protocol', 'proof.curve'])

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type Path = (string | number)[]

function listLeaves(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) => listLeaves(member, [...path, name]))
}

const read = (value: Json, path: Path) => path.reduce((inner, name) => (inner as never)[name], value)
function write(value: Json, path: Path, member: Json | undefined): Json {
  const copy = structuredClone(value)
  const parent = read(copy, path.slice(0, -1)) as Record<string, Json>
  const name = String(path.at(-1))
  if (member === undefined) delete parent[name]
  else parent[name] = member
  return copy
}

/** Another value with another meaning: a changed digit, a changed number, a flipped flag. */
function alter(leaf: Json, at: number): Json {
  if (typeof leaf === 'boolean') return !leaf
  if (typeof leaf === 'number') return leaf + (at % 2 === 0 ? 1 : -1) * (1 + (at % 1_000))
  const text = leaf as string
  const first = text.startsWith('0x') ? 2 : 0
  const place = first + (at % Math.max(1, text.length - first))
  const replaced = text[place] === '7' ? '3' : '7'
  return text.slice(0, place) + replaced + text.slice(place + 1)
}

const strange: Json[] = [
  '',
  '0',
  '-1',
  '1e3',
  `1${'0'.repeat(80)}`,
  '0x',
  ' 1',
  '\u0000',
  0,
  -1,
  1.5,
  1e300,
  true,
  null,
  [],
  {},
]

const spell = (value: Json) =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'number' ? String(member) : member))

test('mutations of a valid request are all refused without a 500, and the valid request still goes through', async () => {
  const leaves = listLeaves(body as unknown as Json)
  const mutation = fc.tuple(
    fc.constantFrom(...leaves),
    fc.constantFrom('alter', 'strange', 'swap', 'drop', 'add', 'nest'),
    fc.nat(100_000),
  )
  const mutate = (value: Json, [path, kind, at]: [Path, string, number]): Json => {
    if (kind === 'strange') return write(value, path, strange[at % strange.length])
    if (kind === 'swap') return write(value, path, read(other as unknown as Json, path))
    if (kind === 'drop') return write(value, path, undefined)
    if (kind === 'add') return write(value, [...path.slice(0, -1), 'unheard-of'], at)
    if (kind === 'nest') return write(value, path, [read(value, path)])
    return write(value, path, alter(read(value, path), at))
  }
  const valid = JSON.parse(JSON.stringify(body)) as Json
  await fc.assert(
    fc.asyncProperty(mutation, async (one) => {
      const mutated = mutate(valid, one)
      // An integer may be a number or its digits.
      fc.pre(spell(mutated) !== spell(valid))
      const [path, kind] = one
      fc.pre(kind !== 'drop' || !MAY_BE_LEFT_OUT.has(path.join('.')))
      const { status, body: answer } = await post(service.url, '/relayer/request', mutated)
      expect([200, 400]).toContain(status)
      expect(answer['success'] ?? false).toBe(false)
      if (status === 200) expect(answer['error']).toMatch(/^[A-Z_]+: /)
    }),
    { numRuns: 250 },
  )
  const answer = await post(service.url, '/relayer/request', body)
  expect(answer.body).toMatchObject({ success: true })
  expect(await untilFinal(service.url, answer.body['requestId'] as string)).toMatchObject({
    status: 'confirmed',
  })
})
