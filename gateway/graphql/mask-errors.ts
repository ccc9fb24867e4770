import type { ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import type { Logger } from '../logging.ts'
import { resultOfError } from '../documents/result-of-error.ts'
import { maskResult } from './graphql-errors.ts'
import { COMPLETE, endOf } from './stream-ends.ts'

/** The parts of a request's context that masking needs. */
interface MaskedContext {
  requestId: string
  /** Aborted when the answer is complete. */
  ending: AbortController
}

/**
 * Masks errors in the final result, no matter which part of the execution threw them. Yoga's own masking knows neither
 * the request's id nor the shape of this API's errors.
 */
export function maskErrors(logger: Logger): Plugin<object, MaskedContext> {
  return {
    onResultProcess({ result, setResult, serverContext: { requestId, ending } }) {
      const mask = (one: ExecutionResult) => maskResult(one, { id: requestId, logger })
      if (isAsyncIterable(result)) {
        setResult(maskEach(result as AsyncIterable<ExecutionResult>, mask, ending))
        return
      }
      // Also for subscriptions that failed after they were accepted: nothing may keep running for them.
      ending.abort(COMPLETE)
      if (!Array.isArray(result)) setResult(mask(result as ExecutionResult))
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
    const end = endOf(ending.signal)
    if (end === 'refused') yield mask(resultOfError(ending.signal.reason))
    // Yoga writes `event: complete` after the last result, and nothing after an error.
    if (end === 'cut') throw ending.signal.reason
  } finally {
    ending.abort(COMPLETE)
  }
}
