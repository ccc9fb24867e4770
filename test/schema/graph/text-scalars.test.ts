import { getNamedType, isInterfaceType, isObjectType, isScalarType, isSpecifiedScalarType } from 'graphql'
import { expect, it } from 'vitest'
import { buildGraph } from '../../../schema/build-graph.ts'
import { readScalarText, writeDecimal } from '../../../schema/graph/text-scalars.ts'

const graph = buildGraph()

it('every scalar of the API names its specification', () => {
  const own = Object.values(graph.getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  )
  expect(own.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Address', 'Base64', 'BigInt', 'DateTime', 'Decimal', 'Hash', 'Hex', 'UUID']),
  )
  expect(own.filter((type) => !('specifiedByURL' in type && type.specifiedByURL))).toEqual([])
})

it('at most a quarter of the fields are plain text', () => {
  const fields = Object.values(graph.getTypeMap()).flatMap((type) =>
    !type.name.startsWith('__') && (isObjectType(type) || isInterfaceType(type))
      ? Object.values(type.getFields())
          // Fields of an interface are counted once.
          .filter(({ name }) => !type.getInterfaces().some((above) => name in above.getFields()))
          .map((field) => String(getNamedType(field.type)))
      : [],
  )
  expect(fields.filter((name) => name === 'String').length / fields.length).toBeLessThanOrEqual(0.25)
})

it.each([
  [0, '0'],
  [-1.5, '-1.5'],
  [1e21, '1000000000000000000000'],
  [-1.25e22, '-12500000000000000000000'],
  [1.5e-7, '0.00000015'],
  [-2e-9, '-0.000000002'],
])('the number %d is written as %s', (value, text) => {
  expect(writeDecimal(value)).toBe(text)
  expect(Number(text)).toBe(value)
})

it('an integer is accepted as digits or as a number, and nothing else is', () => {
  expect([readScalarText('12'), readScalarText(12)]).toEqual(['12', '12'])
  for (const value of [1.5, 2 ** 60, true, null, {}])
    expect(() => readScalarText(value)).toThrow('expected a string')
})
