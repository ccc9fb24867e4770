import { GraphQLError, type ExecutionResult } from 'graphql'
import type { Logger } from '../logging.ts'
import { writeEvent } from './event-streams.ts'
import { maskResult } from './graphql-errors.ts'
import { writeResult } from './write-result.ts'

/** How results of one request are written. */
export interface Writing {
  mask(result: ExecutionResult): ReturnType<typeof maskResult>
  /** As an event. */
  write(result: ExecutionResult): Buffer
  writeError(error: unknown): Buffer
}

/** Apart from what runs a request, for a stream keeps it. @param id Of the request. */
export function createWriting(id: string, logger: Logger): Writing {
  const mask = (result: ExecutionResult) => maskResult(result, { id, logger })
  const write = (result: ExecutionResult) => writeEvent(writeResult(mask(result)).body)
  return { mask, write, writeError: (error) => write(resultOfError(error)) }
}

/** What a client reads of an error outside of fields. */
export const resultOfError = (error: unknown): ExecutionResult => ({
  errors: [
    error instanceof GraphQLError
      ? error
      : new GraphQLError(error instanceof Error ? error.message : String(error), {
          originalError: error instanceof Error ? error : new Error(String(error)),
        }),
  ],
})
