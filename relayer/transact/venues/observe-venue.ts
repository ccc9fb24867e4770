import { channel } from 'node:diagnostics_channel'
import { ServiceError } from '../../service-error.ts'

/** Outcome of a query to a venue. `none`: the venue has nothing to offer. `refused`: the query itself is invalid. */
export type VenueOutcome = 'answered' | 'none' | 'refused' | 'timed_out' | 'failed'

/** Outcome of one query to a venue. */
export interface VenueAnswer {
  venue: string
  /** Chain of the queried tokens. */
  chainId: number
  outcome: VenueOutcome
  seconds: number
}

/** Channel with the outcome of every query of this process to a venue; messages are {@link VenueAnswer}. */
export const venueAnswers = channel('relayer.venue-answers')

/** Queries a venue, and publishes the outcome on {@link venueAnswers}. @throws what `ask` throws. */
export async function observeVenue<T>(
  about: Pick<VenueAnswer, 'venue' | 'chainId'>,
  ask: () => Promise<T>,
): Promise<T> {
  const started = performance.now()
  const tell = (outcome: VenueOutcome) => {
    const answer: VenueAnswer = { ...about, outcome, seconds: (performance.now() - started) / 1_000 }
    venueAnswers.publish(answer)
  }
  try {
    const answer = await ask()
    tell(answer === null ? 'none' : 'answered')
    return answer
  } catch (error) {
    tell(outcomeOf(error))
    throw error
  }
}

function outcomeOf(error: unknown): VenueOutcome {
  if (error instanceof ServiceError && error.kind === 'bad-request') return 'refused'
  return isTimeout(error) ? 'timed_out' : 'failed'
}

/** Name of timeout errors of `AbortSignal.timeout` and viem. */
const TIMEOUT = 'TimeoutError'
const MOST_CAUSES = 8

/** True if an error, or one of its causes, is a timeout. */
export function isTimeout(error: unknown): boolean {
  let cause = error
  for (let depth = 0; cause instanceof Error && depth < MOST_CAUSES; depth += 1) {
    if (cause.name === TIMEOUT) return true
    cause = cause.cause
  }
  return false
}
