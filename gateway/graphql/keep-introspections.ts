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
import type { Plugin } from 'graphql-yoga'
import { SharedPlaces } from '../../relayer/shares/shared-places.ts'

/** Cached answers about the schema. Tools send only a few forms of the query, and an answer has about 0.5 MB. */
const MOST_KEPT = 16
type KeptResult = ExecutionResult & { stringify(result: ExecutionResult): string }

/** Cached answers to pure introspection documents, by the document without spaces and comments. */
export interface KeptIntrospections {
  has(args: ExecutionArgs): boolean
  /** Answers from the cache and fills it. It must come after all plugins that may refuse a document. */
  plugin: Plugin
}

/** Caches answers about the schema: it is constant, so each question is executed and written as JSON once. */
export function keepIntrospections(): KeptIntrospections {
  const kept = new SharedPlaces<string, KeptResult>(MOST_KEPT)
  return {
    has: (args) => kept.get(keyOf(args)) !== undefined,
    plugin: {
      onExecute({ args, setResultAndStopExecution }) {
        if (!asksForSchemaOnly(args)) return undefined
        const key = keyOf(args)
        const known = kept.get(key)
        if (known) {
          setResultAndStopExecution(known)
          return undefined
        }
        return {
          onExecuteDone({ result, setResult }) {
            if (Symbol.asyncIterator in result || (result as ExecutionResult).errors) return
            const text = JSON.stringify(result)
            const written: KeptResult = { ...(result as ExecutionResult), stringify: () => text }
            kept.set(key, written)
            setResult(written)
          },
        }
      },
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

/** True if any part of a document, executed or not, requests the schema. */
export const asksForSchema = ({ document }: Pick<ExecutionArgs, 'document'>) =>
  remember(asking, document, findQuestion)

/** True if every root field of the operations belongs to the schema; no other answer may be cached. */
export const asksForSchemaOnly = ({ document }: Pick<ExecutionArgs, 'document'>) =>
  remember(askingOnly, document, isOfSchemaOnly)

const asking = new WeakMap<DocumentNode, boolean>()
const askingOnly = new WeakMap<DocumentNode, boolean>()

/** Documents are few and kept; looking through one takes longer than running it. */
function remember(
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
