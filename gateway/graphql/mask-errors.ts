import { GraphQLError, type ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { badRequest } from '../../relayer/errors.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import { describeFailure, HttpError, type Failure } from '../errors.ts'
import type { Logger } from '../logging.ts'
import { resultOfError } from '../documents/result-of-error.ts'
import { extensionsOf, nameArguments } from './failure-extensions.ts'
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

/** A failure as a GraphQL error: its extensions are the members of the REST error body except the message. */
function graphqlError(failure: Failure, thrown: GraphQLError): GraphQLError {
  const { nodes, source, positions, path } = thrown
  const { http } = thrown.extensions
  return new GraphQLError(failure.message, {
    nodes,
    source,
    positions,
    path,
    extensions: {
      ...extensionsOf(failure),
      ...(http !== undefined && { http }),
    },
  })
}

/** Replaces a thrown error by its form for the client; see {@link describeFailure}. */
function maskResult(result: ExecutionResult, request: { id: string; logger: Logger }): ExecutionResult {
  if (!result.errors) return result
  const errors = result.errors.map((error) => {
    const thrown = causeOf(error)
    const failure = describeFailure(
      // A GraphQL error without a cause comes from the library and concerns the client's document.
      thrown instanceof GraphQLError ? new HttpError(400, thrown.message, { code: codeOf(thrown) }) : thrown,
      request,
    )
    const isOurs = thrown instanceof ServiceError
    return graphqlError(isOurs ? { ...failure, message: nameArguments(failure.message) } : failure, error)
  })
  return { ...result, errors }
}

function causeOf(error: unknown): unknown {
  let cause = error
  while (cause instanceof GraphQLError && cause.originalError) {
    cause = cause.originalError
  }
  return cause
}

function codeOf(error: GraphQLError): string {
  const { code } = error.extensions
  return typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR' ? code : badRequest.terms.code
}
