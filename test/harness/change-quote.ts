import { size, slice } from 'viem'
import { type Call, encodeCalls } from '../../relayer/transact/intents/intent.ts'
import {
  appendSuffix,
  encodeAttribution,
  type CalldataCaveat,
} from '../../relayer/transact/signing/calldata-caveats.ts'
import { decodeCalls } from '../../schema/client/chain/decode-call.ts'
import type { SwapQuote } from '../../schema/client/quotes/swap.ts'

type Review = SwapQuote['signingReview']['intents'][number]

/** The items with another one in one place. */
export const replaced = <Item>(items: readonly Item[], place: number, change: (item: Item) => Item) =>
  items.map((item, index) => (index === place ? change(item) : item))

/** The quote with other calls in its first intent. */
export function withCalls(quote: SwapQuote, change: (calls: readonly Call[]) => readonly Call[]): SwapQuote {
  const [intent, ...others] = quote.intents
  if (!intent) throw new Error('a quote without intents')
  const executionData = encodeCalls(change(decodeCalls(intent.executionData)))
  return { ...quote, intents: [{ ...intent, executionData }, ...others] }
}

/** The quote with another call, which carries the code if it is one, and is described as the service does it. */
export function withCall(
  quote: SwapQuote,
  place: number,
  change: (canonical: Call) => Call,
  code: string | null,
): SwapQuote {
  const [review] = quote.signingReview.intents
  const caveats: CalldataCaveat[] = []
  const lying = withCalls(quote, (calls) =>
    replaced(calls, place, (call) => {
      const caveat = review?.calldataCaveats.find(({ callIndex }) => callIndex === place)
      const canonical = caveat ? slice(call.data, 0, size(call.data) - caveat.suffixLength) : call.data
      const changed = change({ ...call, data: canonical })
      if (code === null) return changed
      const { data, caveat: told } = appendSuffix(changed.data, encodeAttribution([code]), place)
      caveats.push(told)
      return { ...changed, data }
    }),
  )
  const others = review?.calldataCaveats.filter(({ callIndex }) => callIndex !== place) ?? []
  const calldataCaveats = [...others, ...caveats] as Review['calldataCaveats']
  return reviewed(lying, {
    calldataCaveats: calldataCaveats.toSorted((one, other) => one.callIndex - other.callIndex),
  })
}

/** The quote with another review of its first intent, which fits its calls otherwise, and the caveats at another call. */
export function reviewed(quote: SwapQuote, change: Partial<Review>, callIndex?: number): SwapQuote {
  const calls = decodeCalls(quote.intents[0]?.executionData ?? '0x')
  const intents = replaced(quote.signingReview.intents, 0, (review) => ({
    ...review,
    simulationCallIndices: [...calls.keys()],
    ...(callIndex !== undefined && {
      calldataCaveats: review.calldataCaveats.map((caveat) => ({ ...caveat, callIndex })),
    }),
    ...change,
  }))
  return { ...quote, signingReview: { ...quote.signingReview, intents } }
}
