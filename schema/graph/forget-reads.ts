import { initContextCache } from '@pothos/core'
import type { OperationContext } from '../define/context.ts'

/**
 * Ends what the fields of a document share: what its loaders have read, the answers of its operations, and the principal
 * of its token. A mutation may have changed any of it.
 */
export function forgetReads(context: OperationContext): void {
  Object.assign(context, initContextCache())
  context.forgetPrincipal?.()
}
