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
import { keepNewest } from './keep-newest.ts'

/** Answers about the schema that are kept: tools ask in few ways, with answers of some 0.5 MB. */
const MOST_KEPT = 16
type KeptResult = ExecutionResult & { stringify(result: ExecutionResult): string }

/** Answers to documents that ask for the schema alone, by the document without its spaces and comments. */
export interface KeptIntrospections {
  has(args: ExecutionArgs): boolean
  /** Answers from what is kept, and keeps what is answered. Belongs behind whatever may refuse a document. */
  plugin: Plugin
}

/** The schema is constant, so that what is told of it is told by one execution, and written as JSON once. */
export function keepIntrospections(): KeptIntrospections {
  const kept = keepNewest<KeptResult>(MOST_KEPT)
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

/** By the parsed document, which is kept where documents are. */
const texts = new WeakMap<DocumentNode, string>()

function keyOf({ document, operationName, variableValues }: ExecutionArgs): string {
  const text = texts.get(document) ?? print(document)
  texts.set(document, text)
  return JSON.stringify([text, operationName ?? null, variableValues ?? {}])
}

/** Whether anything in a document, be it run or not, asks for the schema. */
export function asksForSchema({ document }: Pick<ExecutionArgs, 'document'>): boolean {
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

/** Whether every field that the operations select at the root is of the schema: nothing else may be kept. */
export function asksForSchemaOnly({ document }: Pick<ExecutionArgs, 'document'>): boolean {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  )
  /** Fragments may name one another many times over: each is looked at once. */
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
