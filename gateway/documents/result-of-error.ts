import { GraphQLError, type ExecutionResult } from 'graphql'

/** The result for an error outside of fields. @param extensions Of the error; Yoga reads `http`. */
export function resultOfError(error: unknown, extensions?: Record<string, unknown>): ExecutionResult {
  const originalError = error instanceof Error ? error : new Error(String(error))
  return { errors: [new GraphQLError(originalError.message, { originalError, extensions })] }
}
