import { getOperationAST, parse } from 'graphql'
import { expect, it } from 'vitest'
import { measureOperation } from '../../../gateway/documents/measure-operation.ts'
import { buildGraph } from '../../../schema/build-graph.ts'

const schema = buildGraph()

function measure(query: string, variableValues: Record<string, unknown>) {
  const document = parse(query)
  return measureOperation({ schema, document, variableValues }, getOperationAST(document)!, false)
}

it('of thousands of wrong values of a variable only the first ones are looked at', () => {
  let looks = 0
  const toJSON = () => {
    looks += 1
    return {}
  }
  const ids = Array.from({ length: 5_000 }, () => ({ toJSON }))
  expect(() => measure('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).toThrow(
    'invalid value at [0]',
  )
  expect(looks).toBeLessThan(10)
})

it.each([
  ['given', 'query ($n: Int) { viewer { account { activities(first: $n) { nodes { id } } } } }', { n: 500 }],
  [
    'by default',
    'query ($n: Int = 500) { viewer { account { activities(first: $n) { nodes { id } } } } }',
    {},
  ],
  [
    'skipped',
    'query ($no: Boolean!) { viewer { account { activities(first: 500) @skip(if: $no) { nodes { id } } } } }',
    { no: true },
  ],
  [
    'in a fragment',
    'query { viewer { ...V } } fragment V on Viewer { account { ... @include(if: true) { activities(first: 500) { nodes { id } } } } }',
    {},
  ],
])('five hundred things count the same when they are %s', (_, query, variables) => {
  const plain = measure('{ viewer { account { activities(first: 500) { nodes { id } } } } }', {})
  expect(measure(query, variables)).toEqual(plain)
})
