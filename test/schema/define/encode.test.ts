import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createEncoder } from '../../../schema/define/encode.ts'
import { createTextWriter, writtenOnce } from '../../../schema/define/text-writer.ts'
import { absentIfNull, address, amount, bytes, digits, moment } from '../../../schema/define/scalars.ts'

const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const NOW = new Date('2026-01-31T12:00:00.000Z')

const row = z.object({
  amount,
  fee: digits,
  owner: address,
  data: bytes,
  at: moment,
  endedAt: moment.nullable(),
  note: z.string().optional(),
  txHash: absentIfNull(z.string()),
  paid: absentIfNull(amount),
})
const page = z.object({ rows: z.array(row), byName: z.record(z.string(), row), next: z.string().nullable() })

const inside = {
  amount: 2n ** 200n,
  fee: -3n,
  owner: ADDRESS,
  data: '0x00',
  at: NOW,
  endedAt: null,
  txHash: null,
  paid: null,
} as const
const outside = {
  amount: String(2n ** 200n),
  fee: '-3',
  owner: ADDRESS,
  data: '0x00',
  at: NOW.toISOString(),
  endedAt: null,
}

describe('the encoder of a shape', () => {
  const encode = createEncoder(page)

  it('writes amounts as digits, dates as ISO 8601, and leaves out empty members', () => {
    const full = { ...inside, endedAt: NOW, note: '', txHash: '0x01', paid: 0n }
    expect(encode({ rows: [inside, full], byName: { one: inside }, next: null })).toStrictEqual({
      rows: [outside, { ...outside, endedAt: outside.at, note: '', txHash: '0x01', paid: '0' }],
      byName: { one: outside },
      next: null,
    })
  })

  it('writes the same as zod does', () => {
    const answer = { rows: [inside], byName: { one: inside }, next: 'more' }
    expect(encode(answer)).toEqual(z.encode(page, structuredClone(answer)))
  })

  it('drops members that the shape does not list', () => {
    const more = { ...inside, secret: 'key' }
    expect(JSON.stringify(encode({ rows: [more], byName: { more }, next: null }))).not.toContain('secret')
  })

  it('leaves alternatives to zod', () => {
    const either = createEncoder(z.union([z.object({ amount }), z.object({ at: moment })]))
    expect([either({ amount: 1n }), either({ at: NOW })]).toEqual([{ amount: '1' }, { at: outside.at }])
  })
})

it.each([
  [address, ADDRESS.toLowerCase(), ADDRESS],
  [amount, '12', 12n],
  [digits, '-12', -12n],
  [moment, outside.at, NOW],
  [absentIfNull(amount), undefined, null],
])('reads %# as it is inside', (scalar: z.ZodType, text, value) => {
  expect(scalar.parse(text)).toEqual(value)
})

it.each([
  [address, ADDRESS.replace('D', 'd'), 'expected an address with a right EIP-55 checksum, or all lower case'],
  [address, '0x12', 'expected an address: 0x and 40 hex digits'],
  [amount, String(2n ** 256n), 'expected an amount below 2^256'],
  [digits, 'twelve', 'expected decimal digits'],
])('refuses %# with one complaint', (scalar: z.ZodType, text, message) => {
  expect(scalar.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message])
})

describe('the text of an answer', () => {
  const odd = z.object({
    text: z.string(),
    kind: z.enum(['one', 'two']),
    count: z.number(),
    any: z.unknown(),
    is: z.boolean(),
    list: z.array(z.string().nullable()),
    deep: z.array(z.object({ rows: z.array(row), 'na"me': z.number().optional() })).nullable(),
    either: z.union([z.string(), z.number()]),
    pair: z.tuple([z.string(), z.number()]),
  })
  const texts = [
    '',
    'plain',
    'quo"te',
    'back\\slash',
    'line\nbreak',
    '\u0000',
    'ü€',
    '😀',
    '\ud800',
    '\u2028',
  ]
  const answers = texts.flatMap((text) =>
    [0, -0, 1.5, 1e21, 1e-7, Number.NaN, Infinity].map((count, place) => ({
      text,
      kind: 'two' as const,
      count,
      any: place === 0 ? undefined : { text, nested: [null, undefined, { a: 1 }] },
      is: place % 2 === 0,
      list: [text, null],
      deep:
        place === 1
          ? null
          : [{ rows: [inside, { ...inside, note: text, paid: 1n }] }, { rows: [], 'na"me': 3 }],
      either: place % 2 === 0 ? text : count === count ? 2 : 3,
      pair: [text, 4] as [string, number],
      secret: 'key',
    })),
  )

  it("equals JSON's form of the encoded answer", async () => {
    const [encode, write] = [createEncoder(odd), createTextWriter(odd)]
    for (const answer of answers) expect(await write(answer)).toBe(JSON.stringify(encode(answer)))
    const many = { rows: Array.from({ length: 450 }, () => inside), byName: {}, next: null }
    const whole = JSON.stringify(createEncoder(page)(many))
    expect(String(await createTextWriter(page)(many))).toBe(whole)
    // Longer than a piece, with characters of one to four bytes.
    const long = { ...many, rows: many.rows.map((one, place) => ({ ...one, note: 'ü€😀x'.repeat(place) })) }
    expect(String(await createTextWriter(page)(long))).toBe(JSON.stringify(createEncoder(page)(long)))
    const list = z.array(row).optional()
    const outer = z.object({ list, other: z.string() })
    for (const value of [{ other: 'x' }, { list: many.rows, other: 'x' }, { list: [], other: '' }])
      expect(String(await createTextWriter(outer)(value))).toBe(JSON.stringify(createEncoder(outer)(value)))
    expect(await createTextWriter(z.string())('pl"ain')).toBe('"pl\\"ain"')
  })

  it('is made once of a value of a shape that is written once', async () => {
    let times = 0
    const counted = z.codec(z.string(), z.string(), {
      decode: (text) => text,
      encode: (text) => `${text} ${(times += 1)}`,
    })
    const part = writtenOnce(z.object({ text: counted }))
    const write = createTextWriter(z.object({ parts: z.array(part), last: part.nullable() }))
    const [one, other] = [{ text: 'one' }, { text: 'other' }]
    const parts = [...Array.from({ length: 200 }, () => one), other]
    const told = JSON.parse(String(await write({ parts, last: null }))) as { parts: object[] }
    expect(told.parts.at(0)).toEqual({ text: 'one 1' })
    expect(told.parts.slice(-2)).toEqual([{ text: 'one 1' }, { text: 'other 2' }])
    expect(await write({ parts: [], last: one })).toBe('{"parts":[],"last":{"text":"one 1"}}')
    // An equal value is not the same.
    expect(await write({ parts: [], last: { ...one } })).toContain('one 3')
  })

  it('lets other work run while a long list is written', async () => {
    // Far more than a millisecond’s work.
    const rows = Array.from({ length: 20_000 }, () => inside)
    const order: string[] = []
    const written = createTextWriter(page)({ rows, byName: {}, next: null }).then(() => order.push('written'))
    setImmediate(() => order.push('other'))
    await written
    expect(order).toEqual(['other', 'written'])
  })
})
