import { ServiceError } from '../../relayer/service-error.ts'

// Reasons for aborting a request's controller. Each is created once, because an error captures a stack.

/** The answer is complete: the events have ended. */
export const COMPLETE = new Error('the answer is complete')
/** The client has gone. */
export const GONE = new Error('the client has gone')
/** The client has no points left for the next event: it may reconnect, and gets that event then. */
export const SPENT = new Error('the client has no points left for an event')

/**
 * Derives how a stream ends from the reason of its abort. `complete`: its events ended. `refused`: it ends with an
 * error that reconnecting does not cure. `cut`: the service ends it for its own reasons, such as a shutdown, and the
 * client should reconnect. Clients treat `event: complete` as success, so a cut stream must end without it.
 */
export function endOf({ aborted, reason }: AbortSignal): 'complete' | 'refused' | 'cut' {
  if (!aborted || reason === COMPLETE) return 'complete'
  return reason instanceof ServiceError ? 'refused' : 'cut'
}
