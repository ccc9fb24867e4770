import { channel } from 'node:diagnostics_channel'
import { ServiceError } from '../../service-error.ts'

/** What came of asking a venue: `none` is an answer too, `refused` one that names what is wrong with the question. */
export type VenueOutcome = 'answered' | 'none' | 'refused' | 'timed_out' | 'failed'

/** One question to a venue. */
export interface VenueAnswer {
  venue: string
  /** Where the tokens are that are asked about. */
  chainId: number
  outcome: VenueOutcome
  seconds: number
}

/** Every question that a venue of this process was asked; messages are {@link VenueAnswer}. */
export const venueAnswers = channel('relayer.venue-answers')

/** Asks a venue, and tells {@link venueAnswers} what came of it. @throws what `ask` throws. */
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

/** The name that `AbortSignal.timeout` and viem give to errors of theirs. */
const TIMEOUT = 'TimeoutError'
const MOST_CAUSES = 8

/** Whether an error says, in one of its causes, that an answer did not come in time. */
export function isTimeout(error: unknown): boolean {
  let cause = error
  for (let depth = 0; cause instanceof Error && depth < MOST_CAUSES; depth += 1) {
    if (cause.name === TIMEOUT) return true
    cause = cause.cause
  }
  return false
}
