import { channel } from 'node:diagnostics_channel'
import { ServiceError } from '../../service-error.ts'

/** What came of asking a venue: `none` is an answer too, `refused` one that names what is wrong with the question. */
export type VenueOutcome = 'answered' | 'none' | 'refused' | 'failed'

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
    tell(error instanceof ServiceError && error.kind === 'bad-request' ? 'refused' : 'failed')
    throw error
  }
}
