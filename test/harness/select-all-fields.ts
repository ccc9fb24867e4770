import {
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'

/** Arguments that a field cannot be asked without. */
export const isRequired = ({ type }: GraphQLArgument): boolean => isNonNullType(type)

/** The fields of an object type; none without a type. */
export const fieldsOf = (
  type: GraphQLInterfaceType | GraphQLObjectType | null | undefined,
): GraphQLField<unknown, unknown>[] => Object.values(type?.getFields() ?? {})

/** Selects every field of the type as a generator does, of an interface those of all its types, except fields with required arguments and recursive types. */
export function selectAllFields(type: GraphQLOutputType, above: readonly string[] = []): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (!isObjectType(named) && !isInterfaceType(named)) throw new Error(`${named.name} has no fields`)
  const within = [...above, named.name]
  const members = fieldsOf(named)
    .filter((field) => !field.args.some(isRequired) && !within.includes(getNamedType(field.type).name))
    .map((field) => `${field.name} ${selectAllFields(field.type, within)}`)
  return `{ ${members.join(' ')} }`
}
