import { getNamedType, isInterfaceType, isObjectType, type GraphQLField } from 'graphql'
import { expect, it } from 'vitest'
import { buildGraph } from '../../../schema/build-graph.ts'

const graph = buildGraph()
const types = Object.values(graph.getTypeMap()).filter(
  (type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'),
)
const fieldsOf = (name: string) => {
  const type = graph.getType(name)
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  return Object.fromEntries(
    fields.map((field: GraphQLField<unknown, unknown>) => [field.name, String(field.type)]),
  )
}
const connections = types.map(({ name }) => name).filter((name) => name.endsWith('Connection'))

it.each(connections)('%s has the form that Relay pages through', (name) => {
  const { edges = '', pageInfo } = fieldsOf(name)
  expect(edges).toMatch(/^\[\w+Edge!?\]!$/)
  expect(pageInfo).toBe('PageInfo!')
  const edge = fieldsOf(edges.replaceAll(/\W/g, ''))
  expect(edge['cursor']).toBe('String!')
  const node = graph.getType((edge['node'] ?? '').replace('!', ''))
  const interfaces = isObjectType(node) || isInterfaceType(node) ? node.getInterfaces() : []
  expect(interfaces.map((one) => one.name)).toContain('Node')
})

it('every connection takes first and after', () => {
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  )
  const paged = fields.filter(({ type }) => getNamedType(type).name.endsWith('Connection'))
  expect(paged.length).toBeGreaterThan(5)
  for (const { name, args } of paged)
    expect([name, ...args.map((arg) => arg.name)]).toEqual(expect.arrayContaining(['first', 'after']))
})

it('no two types of nodes are mistaken for each other: an id is a field of nodes and of rows that name their own', () => {
  const withId = types
    .filter((type) => (isObjectType(type) || isInterfaceType(type)) && 'id' in type.getFields())
    .filter((type) => isObjectType(type) && !type.getInterfaces().some(({ name }) => name === 'Node'))
  expect(withId.map(({ name }) => name)).toEqual([
    'PoolCommitment',
    'ProvenanceSource',
    'ReviewAsset',
    'Viewer',
  ])
})
