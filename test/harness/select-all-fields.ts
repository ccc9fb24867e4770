import {
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql'

/** Arguments that a field cannot be asked without. */
export const isRequired = ({ type }: GraphQLArgument): boolean => isNonNullType(type)

/** The fields of an object type; none without a type. */
export const fieldsOf = (type: GraphQLObjectType | null | undefined): GraphQLField<unknown, unknown>[] =>
  Object.values(type?.getFields() ?? {})

/** Selects every field as a generator does, except fields with required arguments and recursive types. */
export function selectAllFields(type: GraphQLOutputType, above: readonly string[] = []): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (!isObjectType(named)) throw new Error(`${named.name} is neither leaf nor object`)
  const within = [...above, named.name]
  const members = fieldsOf(named)
    .filter((field) => !field.args.some(isRequired) && !within.includes(getNamedType(field.type).name))
    .map((field) => `${field.name} ${selectAllFields(field.type, within)}`)
  return `{ ${members.join(' ')} }`
}
