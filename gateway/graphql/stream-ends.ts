import { ServiceError } from '../../relayer/service-error.ts'

// Reasons for which a stream's controller is aborted. Each is made once, because an error takes a stack with it.

/** The answer is complete: the events have come to their end. */
export const COMPLETE = new Error('the answer is complete')
/** The client has gone. */
export const GONE = new Error('the client has gone')

/**
 * How a stream ends that was aborted for that reason. `complete`: its events came to their end. `refused`: it ends with an error
 * that coming back does not mend. `cut`: the service ends it for its own reasons, such as a shutdown, and its client is to come
 * back. Clients take `event: complete` for success, so a stream that is cut must end without it.
 */
export function endOf({ aborted, reason }: AbortSignal): 'complete' | 'refused' | 'cut' {
  if (!aborted || reason === COMPLETE) return 'complete'
  return reason instanceof ServiceError ? 'refused' : 'cut'
}
