import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  validate,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
  type SelectionSetNode,
  Kind,
  visit,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { createSchemaScale, fullQuestion } from './weigh-schema-questions.ts'
import { queryTooLarge } from '../../schema/define/graph-errors.ts'

/** Most tokens of a document: bounds the cost of parsing and validation. */
const MAX_TOKENS = 2_000
/** Most characters of its text, comments included, because parsed documents are cached. */
const MAX_LENGTH = 64_000
const MAX_COMPLAINTS = 10
/** Pairs that validation may compare: a few milliseconds. The limits on complexity are checked after validation. */
const MAX_COMPARISONS = 3_000
/** Most repetitions of fields in one place. */
const MAX_REPEATS = 100
/** Most introspections in one document; no other limit counts them. */
const MAX_INTROSPECTIONS = 2
/** Largest part of the schema that it may request, as a multiple of the usual tool's query. */
const MAX_OF_SCHEMA = 2

/** Limits the cost of a document before it runs, and hides the schema if configured. */
export function guardDocuments({ introspection }: { introspection: boolean }): Plugin {
  /** Made from the schema when the first document arrives. */
  let asksTooMuch: ((document: DocumentNode) => boolean) | undefined

  return {
    onParse: ({ params, setParseFn }) => {
      if (String(params.source).length > MAX_LENGTH)
        throw queryTooLarge(`A document may have at most ${MAX_LENGTH} characters`)
      setParseFn((source, options) => {
        try {
          return parse(source, { ...options, maxTokens: MAX_TOKENS })
        } catch (error) {
          // The parser calls itself for each bracket, and the stack that is left depends on the caller.
          if (error instanceof RangeError) throw queryTooLarge('The document is nested too deeply')
          throw error
        }
      })
    },
    onValidate: ({ addValidationRule, setValidationFn }) => {
      addValidationRule(introspection ? fewIntrospections : NoSchemaIntrospectionCustomRule)
      setValidationFn((schema, document, rules) => {
        if (countComparisons(document) > MAX_COMPARISONS)
          return [tooLarge('A document may select fields of one name, and name fragments, some 75 times')]
        if (countRepeats(document) > MAX_REPEATS)
          return [
            tooLarge(
              `A document may repeat fields at most ${MAX_REPEATS} times where they are selected already`,
            ),
          ]
        if (introspection && (asksTooMuch ??= createSchemaGuard(schema))(document))
          return [tooLarge('A document may ask for the schema as tools do, and for no more of it')]
        return validate(schema, document, rules, {
          maxErrors: MAX_COMPLAINTS,
          // "Did you mean" would reveal fields that introspection hides.
          hideSuggestions: !introspection,
        })
      })
    },
  }
}

function createSchemaGuard(schema: GraphQLSchema): (document: DocumentNode) => boolean {
  const weigh = createSchemaScale(schema)
  const most = MAX_OF_SCHEMA * weigh(fullQuestion())
  return (document) => weigh(document) > most
}

function tooLarge(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, { nodes: node, extensions: { code: queryTooLarge.terms.code } })
}

const fewIntrospections: ValidationRule = (context) => {
  let found = 0
  return {
    Field(node) {
      if (node.name.value !== '__schema' && node.name.value !== '__type') return
      found += 1
      if (found === MAX_INTROSPECTIONS + 1) {
        context.reportError(
          tooLarge(`A document may ask for the schema at most ${MAX_INTROSPECTIONS} times`, node),
        )
      }
    },
  }
}

/**
 * An upper bound of the pairs that validation compares to find out whether fields can be merged. It compares all
 * fields that answer under one name, so its work grows with the square of their number. Plain leaves count a
 * hundredth, because only their names are compared. Fragments are compared where they meet.
 */
function countComparisons(document: DocumentNode): number {
  const costly = new Map<string, number>()
  const plain = new Map<string, number>()
  visit(document, {
    [Kind.FIELD](node) {
      const { value } = node.alias ?? node.name
      const counts = node.selectionSet || node.arguments?.length ? costly : plain
      counts.set(value, (counts.get(value) ?? 0) + 1)
    },
  })
  return sumPairs(costly.values()) + sumPairs(plain.values()) / 100 + countMeetings(document)
}

const sumPairs = (counts: Iterable<number>) =>
  [...counts].reduce((pairs, count) => pairs + (count * (count - 1)) / 2, 0)

/**
 * The pairs of fragments that meet: named in one selection, or in selections of fields that answer under one name, or
 * by a fragment that is named there. A document of components has many fragments, of which few meet.
 */
function countMeetings({ definitions }: DocumentNode): number {
  const namedBy = new Map<string, ReadonlySet<string>>()
  /** By the name of a field, or the definition that selects at its top. */
  const meetings = new Map<unknown, Set<string>>()
  const meet = (place: unknown, { selections }: SelectionSetNode) => {
    const met = meetings.get(place) ?? new Set<string>()
    meetings.set(place, met)
    for (const node of selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) met.add(node.name.value)
      else if (node.kind === Kind.INLINE_FRAGMENT) meet(place, node.selectionSet)
      else if (node.selectionSet) meet((node.alias ?? node.name).value, node.selectionSet)
    }
    return met
  }
  for (const one of definitions) {
    if (one.kind === Kind.OPERATION_DEFINITION) meet(one, one.selectionSet)
    if (one.kind === Kind.FRAGMENT_DEFINITION) namedBy.set(one.name.value, meet(one, one.selectionSet))
  }
  const within = [...meetings.values()].map((met) => {
    // A set yields what is added while it is read.
    const all = new Set(met)
    for (const name of all) for (const further of namedBy.get(name) ?? []) all.add(further)
    return all.size
  })
  return sumPairs(within)
}

/**
 * Counts how often fields without arguments are repeated within one selection, under any alias. No client needs that,
 * but each repetition runs for every item of a list, and lists have hundreds of items.
 */
function countRepeats(document: DocumentNode): number {
  let repeats = 0
  visit(document, {
    [Kind.SELECTION_SET]({ selections }) {
      const plain = selections.flatMap((node) =>
        node.kind === Kind.FIELD && !node.arguments?.length ? [node.name.value] : [],
      )
      repeats += plain.length - new Set(plain).size
    },
  })
  return repeats
}
