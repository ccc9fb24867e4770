import { decodeCalls } from '../../schema/client/chain/decode-call.ts'
import type { Quote } from '../../schema/client/quotes/send.ts'

/** The quote with a review that fits its calls: a lie that is consistent in itself. Caveats stay where they are. */
export function reviewAnew<Lie extends Quote>(quote: Lie): Lie {
  const intents = quote.intents.map(({ executionData }, place) => {
    const { length: count } = decodeCalls(executionData)
    const review = quote.signingReview.intents[place]
    const had = review?.simulationCallIndices.length ?? 0
    const asked = review?.userActionCallIndices.length ?? 0
    return {
      userActionCallIndices: Array.from({ length: Math.max(0, count - (had - asked)) }, (_, call) => call),
      simulationCallIndices: Array.from({ length: count }, (_, call) => call),
      calldataCaveats: review?.calldataCaveats ?? [],
    }
  })
  return { ...quote, signingReview: { ...quote.signingReview, intents } }
}
