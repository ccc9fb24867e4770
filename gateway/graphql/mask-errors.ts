import type { ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { Logger } from '../logging.ts'
import { maskResult } from './graphql-errors.ts'

/** Made once, for an error takes a stack with it. */
export const COMPLETE = new Error('the answer is complete')

/** What masking needs of a request's context. */
interface MaskedContext {
  requestId: string
  /** Is aborted when the answer is complete. */
  ending: AbortController
}

/** Masks errors in the final result, whichever part of the execution they come from. */
export function maskErrors(logger: Logger): Plugin<object, MaskedContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      const mask = (one: ExecutionResult) => maskResult(one, { id: serverContext.requestId, logger })
      if (isAsyncIterable(result))
        setResult(maskEach(result as AsyncIterable<ExecutionResult>, mask, serverContext.ending))
      else {
        // This includes subscriptions that failed after they were accepted: nothing may keep running for them.
        serverContext.ending.abort(COMPLETE)
        if (!Array.isArray(result)) setResult(mask(result as ExecutionResult))
      }
    },
  }
}

async function* maskEach(
  results: AsyncIterable<ExecutionResult>,
  mask: (result: ExecutionResult) => ExecutionResult,
  ending: AbortController,
): AsyncGenerator<ExecutionResult> {
  try {
    for await (const result of results) yield mask(result)
  } finally {
    ending.abort(COMPLETE)
  }
}
