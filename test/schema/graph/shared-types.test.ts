import { isEnumType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'
import { buildGraph } from '../../../schema/build-graph.ts'

it('equal shapes share one GraphQL type', () => {
  const named = new Map<string, string[]>()
  for (const type of Object.values(buildGraph().getTypeMap())) {
    if (type.name.startsWith('__')) continue
    const members = isEnumType(type)
      ? type.getValues().map(({ name }) => name)
      : isObjectType(type)
        ? Object.values(type.getFields()).map((field) => `${field.name}: ${String(field.type)}`)
        : []
    // Types of one member are alike by chance, and types of one interface on purpose.
    const isOfInterface = isObjectType(type) && type.getInterfaces().some(({ name }) => name !== 'Node')
    // Each mutation has a payload of its own, which may get further members.
    if (members.length < 2 || isOfInterface || type.name.endsWith('Payload')) continue
    const form = members.toSorted().join()
    named.set(form, [...(named.get(form) ?? []), type.name])
  }
  expect([...named.values()].filter((names) => names.length > 1)).toEqual([])
})
