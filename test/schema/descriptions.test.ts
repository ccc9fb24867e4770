import { isEnumType, isInputObjectType, isObjectType, isSpecifiedScalarType } from 'graphql'
import { expect, it } from 'vitest'
import { buildGraph } from '../../schema/build-graph.ts'
import { buildOpenApi } from '../../schema/openapi/build-openapi.ts'
import { operations } from '../../schema/features.ts'

interface Described {
  description?: string
  properties?: Record<string, Described>
  items?: Described
  anyOf?: Described[]
  $ref?: string
}

/** True if a member, or the type that it refers to, has a description. */
const isSaid = ({ description, $ref, items, anyOf = [] }: Described): boolean =>
  [description, $ref].some(Boolean) || (items !== undefined && isSaid(items)) || anyOf.some(isSaid)

function undescribed(at: string, schema: Described): string[] {
  const inside = [schema.items, ...(schema.anyOf ?? [])].flatMap((part) =>
    part ? undescribed(at, part) : [],
  )
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(isSaid(member) ? [] : [`${at}.${name}`]),
    ...undescribed(`${at}.${name}`, member),
  ])
  return [...inside, ...members]
}

it('every type, field and argument of GraphQL has a description', () => {
  const missing: string[] = []
  for (const type of Object.values(buildGraph().getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue
    if (!type.description) missing.push(type.name)
    if (isEnumType(type) || !(isObjectType(type) || isInputObjectType(type))) continue
    for (const field of Object.values(type.getFields())) {
      if (!field.description) missing.push(`${type.name}.${field.name}`)
      for (const argument of 'args' in field ? field.args : [])
        if (!argument.description) missing.push(`${type.name}.${field.name}(${argument.name})`)
    }
  }
  expect(missing).toEqual([])
})

it('every schema, member and parameter of OpenAPI has a description', () => {
  const document = buildOpenApi(operations)
  const { schemas } = document['components'] as { schemas: Record<string, Described> }
  const paths = document['paths'] as Record<
    string,
    Record<string, { operationId: string; parameters: (Described & { name: string })[] }>
  >
  const missing = Object.entries(schemas).flatMap(([id, schema]) => [
    ...(schema.description ? [] : [id]),
    ...undescribed(id, schema),
  ])
  for (const { operationId, parameters } of Object.values(paths).flatMap((path) => Object.values(path)))
    for (const { name, description } of parameters) if (!description) missing.push(`${operationId}(${name})`)
  expect(missing).toEqual([])
})
