import { GraphQLError, type ExecutionResult } from 'graphql'
import type { Logger } from '../logging.ts'
import { writeEvent } from './event-streams.ts'
import { maskResult } from './graphql-errors.ts'
import { writeResult } from './write-result.ts'

/** Writers for the results of one request. */
export interface Writing {
  mask(result: ExecutionResult): ReturnType<typeof maskResult>
  /** Formats an event. */
  write(result: ExecutionResult): Buffer
  writeError(error: unknown): Buffer
}

/** Created apart from the request's execution, because a stream keeps it. @param id Of the request. */
export function createWriting(id: string, logger: Logger): Writing {
  const mask = (result: ExecutionResult) => maskResult(result, { id, logger })
  const write = (result: ExecutionResult) => writeEvent(writeResult(mask(result)).body)
  return { mask, write, writeError: (error) => write(resultOfError(error)) }
}

/** The result for an error outside of fields. */
export const resultOfError = (error: unknown): ExecutionResult => ({
  errors: [
    error instanceof GraphQLError
      ? error
      : new GraphQLError(error instanceof Error ? error.message : String(error), {
          originalError: error instanceof Error ? error : new Error(String(error)),
        }),
  ],
})
