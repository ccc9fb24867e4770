import {
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql'

/** Expected length of a list, or chance of a wrapped type, per selected field. */
type Expected = Readonly<Record<string, number>>
/**
 * `average` over all types, for a document that asks for all of them; `longest` for one that names a type, because it
 * may be any.
 */
type Lengths = Readonly<Record<'average' | 'longest', Expected>>

/** Not every type wraps another. */
const WRAPPED = 0.5

/**
 * Creates a function that estimates the number of fields in an introspection answer, by the lengths of the schema's
 * lists. Neither complexity nor breadth counts these fields, and a few hundred nested aliases make an answer of
 * hundreds of megabytes.
 *
 * @returns A function from a document, which need not be valid, to the number of schema fields that it selects.
 */
export function createSchemaScale(schema: GraphQLSchema): (document: DocumentNode) => number {
  const lengths = measureLists(schema)
  return (document) => {
    const weighAll = createWeighing(document, lengths.average)
    const weighOne = createWeighing(document, lengths.longest)
    let weight = 0
    visit(document, {
      [Kind.FIELD]({ name, selectionSet }) {
        if (name.value !== '__schema' && name.value !== '__type') return undefined
        weight += 1 + (name.value === '__schema' ? weighAll : weighOne)(selectionSet)
        return false
      },
    })
    return weight
  }
}

/** The query that tools send, with all its options: other documents are measured against it. */
export const fullQuestion = (): DocumentNode =>
  parse(
    getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  )

function createWeighing(
  { definitions }: DocumentNode,
  expected: Expected,
): (set: SelectionSetNode | undefined) => number {
  const fragments = new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  )
  /**
   * A fragment may be named many times; each is weighed once. It counts zero while it is being weighed, because
   * circles are invalid.
   */
  const weights = new Map<SelectionSetNode, number>()
  return function weigh(set): number {
    if (!set) return 0
    const known = weights.get(set)
    if (known !== undefined) return known
    weights.set(set, 0)
    let weight = 0
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD)
        weight += 1 + (expected[selection.name.value] ?? 1) * weigh(selection.selectionSet)
      else if (selection.kind === Kind.INLINE_FRAGMENT) weight += weigh(selection.selectionSet)
      else weight += weigh(fragments.get(selection.name.value))
    }
    weights.set(set, weight)
    return weight
  }
}

function measureLists(schema: GraphQLSchema): Lengths {
  const types = Object.values(schema.getTypeMap())
  const composite = types.filter((type) => isObjectType(type) || isInterfaceType(type))
  const fields = composite.map((type) => Object.values(type.getFields()))
  const counts = {
    types: [types.length],
    directives: [schema.getDirectives().length],
    fields: fields.map(({ length }) => length),
    args: fields.flat().map(({ args }) => args.length),
    inputFields: types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length),
    enumValues: types.filter(isEnumType).map((type) => type.getValues().length),
  }
  const expect = (reduce: (lengths: number[]) => number): Expected => ({
    ...Object.fromEntries(
      Object.entries(counts).map(([name, lengths]) => [name, Math.max(1, reduce(lengths))]),
    ),
    ofType: WRAPPED,
  })
  return {
    average: expect((all) => all.reduce((sum, length) => sum + length, 0) / Math.max(1, all.length)),
    longest: expect((all) => Math.max(0, ...all)),
  }
}
