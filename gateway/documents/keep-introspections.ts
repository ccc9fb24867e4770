import {
  BREAK,
  Kind,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ExecutionArgs,
  type ExecutionResult,
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
    has: (args) => asksForSchemaOnly(args) && kept.get(keyOf(args)) !== undefined,
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

const keyOf = ({ document, operationName, variableValues }: ExecutionArgs): string =>
  JSON.stringify([print(document), operationName ?? null, variableValues ?? {}])

/** True if any part of a document, executed or not, requests the schema. */
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

/** True if a document asks for the schema and nothing else; no other answer may be cached. */
function asksForSchemaOnly({ schema, document }: ExecutionArgs): boolean {
  if (!asksForSchema({ document })) return false
  const types = new TypeInfo(schema)
  let isOnly = document.definitions.every(
    (one) => one.kind !== Kind.OPERATION_DEFINITION || one.operation === 'query',
  )
  visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.FIELD]({ name }) {
        if (types.getParentType() === schema.getQueryType() && !name.value.startsWith('__')) isOnly = false
      },
    }),
  )
  return isOnly
}
