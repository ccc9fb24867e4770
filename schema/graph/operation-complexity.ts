import { isEmptyShape, inspectShape } from '../define/inspect-shape.ts'
import type { Operation } from '../define/operation.ts'

/** Complexity of a field that runs an operation: some 37 of them exhaust a request. */
const OPERATION_COMPLEXITY = 1_200
/** Entries included in that complexity; a page of five hundred counts five times, and so do all fields below it. */
const ENTRIES = 100

/** Cost of a field that runs an operation. @param limit Requested number of entries, if any. */
export function operationComplexity(limit?: number | null): { field: number; multiplier: number } {
  const pages = Math.max(1, (limit ?? ENTRIES) / ENTRIES)
  return { field: OPERATION_COMPLEXITY * pages, multiplier: pages }
}

type Given = Readonly<Record<string, unknown>>

/**
 * Finds the limit among the arguments of an operation, wherever its input has one; null for an operation without.
 */
export function limitArgument({ query, body }: Operation['input']): ((given: Given) => number | null) | null {
  const path =
    query && 'limit' in query.shape
      ? ['limit']
      : body && !isEmptyShape(body)
        ? pathTo('limit', body.shape, ['input'])
        : null
  if (!path) return null
  return (given) => {
    const limit = path.reduce<unknown>((value, name) => (value as Given | null | undefined)?.[name], given)
    return typeof limit === 'number' ? limit : null
  }
}

function pathTo(name: string, members: Given, above: readonly string[]): readonly string[] | null {
  if (name in members) return [...above, name]
  for (const [member, shape] of Object.entries(members)) {
    const { def } = inspectShape(shape as Parameters<typeof inspectShape>[0]).base._zod
    const found = def.type === 'object' ? pathTo(name, def.shape, [...above, member]) : null
    if (found) return found
  }
  return null
}
