import {
  BREAK,
  Kind,
  print,
  visit,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type SelectionSetNode,
} from 'graphql'
import { keepNewest } from './keep-newest.ts'

/** Cached answers about the schema. Tools ask in a few ways only, and an answer has about 0.5 MB. */
const MOST_KEPT = 16

/** Answers to documents that ask for nothing but the schema, by the document without spaces and comments. */
export interface KeptIntrospections {
  has(args: ExecutionArgs): boolean
  /** The answer as JSON, if it is kept. */
  find(args: ExecutionArgs): string | undefined
  /** Writes an answer as JSON, and keeps it if it says nothing but the schema. */
  keep(args: ExecutionArgs, result: ExecutionResult): string | undefined
}

/** Caches answers about the schema: it is constant, so each question is executed and written as JSON once. */
export function keepIntrospections(): KeptIntrospections {
  const kept = keepNewest<string>(MOST_KEPT)
  return {
    has: (args) => kept.get(keyOf(args)) !== undefined,
    find: (args) => (asksForSchemaOnly(args) ? kept.get(keyOf(args)) : undefined),
    keep(args, result) {
      if (result.errors || !asksForSchemaOnly(args)) return undefined
      const text = JSON.stringify(result)
      kept.set(keyOf(args), text)
      return text
    },
  }
}

/** By the parsed document, which the document cache keeps. */
const texts = new WeakMap<DocumentNode, string>()

function keyOf({ document, operationName, variableValues }: ExecutionArgs): string {
  const text = texts.get(document) ?? print(document)
  texts.set(document, text)
  return JSON.stringify([text, operationName ?? null, variableValues ?? {}])
}

/** Whether any part of a document, executed or not, asks for the schema. */
export const asksForSchema = ({ document }: Pick<ExecutionArgs, 'document'>) =>
  rememberOf(asking, document, findQuestion)

/** Whether every root field of the operations belongs to the schema; no other answer may be cached. */
export const asksForSchemaOnly = ({ document }: Pick<ExecutionArgs, 'document'>) =>
  rememberOf(askingOnly, document, isOfSchemaOnly)

const asking = new WeakMap<DocumentNode, boolean>()
const askingOnly = new WeakMap<DocumentNode, boolean>()

/** Documents are few and kept; looking through one takes longer than running it. */
function rememberOf(
  known: WeakMap<DocumentNode, boolean>,
  document: DocumentNode,
  find: (document: DocumentNode) => boolean,
): boolean {
  const found = known.get(document) ?? find(document)
  known.set(document, found)
  return found
}

function findQuestion(document: DocumentNode): boolean {
  let isAsked = false
  visit(document, {
    [Kind.FIELD]({ name }) {
      if (name.value !== '__schema' && name.value !== '__type') return undefined
      isAsked = true
      return BREAK
    },
  })
  return isAsked
}

function isOfSchemaOnly(document: DocumentNode): boolean {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  )
  /** A fragment may be named many times; each is visited once. */
  const seen = new Set<SelectionSetNode>()
  const isOfSchema = (set: SelectionSetNode): boolean => {
    if (seen.has(set)) return true
    seen.add(set)
    return set.selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__')
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments.get(selection.name.value)
      return inner !== undefined && isOfSchema(inner)
    })
  }
  return document.definitions.every(
    (one) =>
      one.kind !== Kind.OPERATION_DEFINITION || (one.operation === 'query' && isOfSchema(one.selectionSet)),
  )
}
