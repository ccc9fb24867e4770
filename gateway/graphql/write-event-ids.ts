import type { ExecutionResult } from 'graphql'
import { getSSEProcessor, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga'

const writeEvents = getSSEProcessor()

/** Gives the events of a stream the `id` from which a client resumes: the cursor that their results have. */
export const writeEventIds: Plugin = {
  onResultProcess({ result, resultProcessor, setResultProcessor }) {
    if (!resultProcessor || !isAsyncIterable(result)) return
    setResultProcessor(
      (results, fetchApi, mediaType) =>
        writeEvents(
          mapAsyncIterator(results as AsyncIterable<ExecutionResult>, withId) as never,
          fetchApi,
          mediaType,
        ),
      'text/event-stream',
    )
  },
}

/** Yoga writes what `stringify` returns as the event's last line. */
function withId(result: ExecutionResult): ExecutionResult {
  const cursor = result.extensions?.['cursor']
  if (typeof cursor !== 'string') return result
  return Object.assign(result, {
    stringify: (masked: ExecutionResult) => `${JSON.stringify(masked)}\nid: ${cursor}`,
  })
}
