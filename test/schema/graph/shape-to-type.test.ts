import { printType, type GraphQLNamedType } from 'graphql'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { absentForNull } from '../../../schema/graph/add-operations.ts'
import { createBuilder } from '../../../schema/graph/builder.ts'
import { createTypeMapper } from '../../../schema/graph/shape-to-type.ts'
import { amount, dollars, moment } from '../../../schema/define/scalars.ts'
import { described, shape } from '../../../schema/define/shape.ts'

function graphOf(shape: z.ZodType) {
  const builder = createBuilder()
  const { type, nullable } = createTypeMapper(builder).output(shape, 'probe')
  builder.queryField('probe', (t) => t.field({ type: type as never, nullable, resolve: () => null as never }))
  builder.mutationField('nothing', (t) => t.boolean({ resolve: () => null }))
  builder.subscriptionField('nothing', (t) =>
    t.boolean({ subscribe: async function* () {}, resolve: () => null }),
  )
  const schema = builder.toSchema()
  return (name: string, { described = false } = {}) => {
    const text = printType(schema.getType(name) as GraphQLNamedType)
    return (described ? text : text.replaceAll(/"""[^"]*"""/g, '')).replaceAll(/\s+/g, ' ')
  }
}

it('numbers, lists, records, enums, optional and nullable members become GraphQL types', () => {
  const print = graphOf(
    z.object({
      count: z.int().positive(),
      share: z.number(),
      tags: z.array(z.array(z.string())).optional(),
      extra: z.record(z.string(), z.string()),
      kind: z.enum(['fund-movement', 'external']).nullable(),
      nested: z.object({ at: z.int().nullable() }),
      amount: z.string().transform(BigInt),
      paid: amount,
      at: moment,
      usd: dollars.nullable(),
    }),
  )
  expect(print('Probe')).toBe(
    'type Probe { amount: String! at: DateTime! count: SafeInt! extra: JSON! kind: ProbeKind nested: ProbeNested! paid: BigInt! share: Float! tags: [[String!]!] usd: Decimal }',
  )
  expect(print('ProbeKind')).toBe('enum ProbeKind { external fund_movement }')
  expect(print('ProbeNested')).toBe('type ProbeNested { at: SafeInt }')
})

it('a constant has the type of its value, as in REST', () => {
  const print = graphOf(
    z.object({ version: z.literal(1), rate: z.literal(0.5), kind: z.literal('one'), isNew: z.literal(true) }),
  )
  expect(print('Probe')).toBe('type Probe { isNew: Boolean! kind: String! rate: Float! version: SafeInt! }')
})

it('two shapes of one name are refused', () => {
  const one = z.object({ a: z.string() }).meta({ id: 'Twice' })
  const types = createTypeMapper(createBuilder())
  types.output(one, 'one')
  expect(() => types.output(z.object({ b: z.string() }), 'Twice')).toThrow('two shapes are named Twice')
})

it('null is dropped where the shape does not allow it', () => {
  const shape = z.object({
    left: z.string().optional(),
    cleared: z.string().nullable(),
    deep: z.array(z.object({ left: z.int().optional() })),
  })
  const given = { left: null, cleared: null, deep: [{ left: null }], unknown: null }
  expect(absentForNull(shape, given)).toEqual({ cleared: null, deep: [{}], unknown: null })
})

it('describes a member by its own words, else by those of its type', () => {
  const kept = shape('Kept', 'of the type', { x: described(z.string(), 'of x') })
  const print = graphOf(
    z.object({
      decimals: described(z.int().optional(), 'of its own'),
      probe: kept,
      own: described(kept, 'of the member'),
      none: described(kept.nullable(), 'of its null'),
      silent: z.string(),
    }),
  )
  expect(print('Probe', { described: true })).toBe(
    'type Probe { """of its own""" decimals: SafeInt """of its null""" none: Kept """of the member""" own: Kept! """of the type""" probe: Kept! silent: String! }',
  )
})
