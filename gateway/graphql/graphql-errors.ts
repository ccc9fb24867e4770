import { GraphQLError, type ExecutionResult } from 'graphql'
import { describeFailure, HttpError, type Failure } from '../errors.ts'
import type { Logger } from '../logging.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import { extensionsOf, nameArguments } from './failure-extensions.ts'
import { badRequest } from '../../relayer/errors.ts'

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
export function maskResult(
  result: ExecutionResult,
  request: { id: string; logger: Logger },
): ExecutionResult {
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
