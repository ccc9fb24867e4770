import { Histogram, type Registry } from 'prom-client'
import { venueAnswers, type VenueAnswer } from '../../relayer/transact/venues/observe-venue.ts'

/** Registers the outcomes and durations of venues' answers. @returns A function that ends it. */
export function registerVenueFigures(registry: Registry): () => void {
  const answers = new Histogram({
    name: 'venue_answer_seconds',
    help: 'Time that a venue took to answer, by outcome: `answered`, `none` (no route), `refused` (the amount is out of its limits), `timed_out`, `failed`.',
    labelNames: ['venue', 'chain', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5],
    registers: [registry],
  })
  const hear = (message: unknown) => {
    // The channel has one kind of message.
    const { venue, chainId, outcome, seconds } = message as VenueAnswer
    answers.observe({ venue, chain: chainId, outcome }, seconds)
  }
  venueAnswers.subscribe(hear)
  return () => venueAnswers.unsubscribe(hear)
}
