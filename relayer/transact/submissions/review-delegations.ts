import { mapApart } from '../../concurrency/map-apart.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { judgeDelegation, readDelegationState } from '../intents/delegation.ts'
import type { QueuedQuote } from './plan-batches.ts'
import type { FailingQuote } from './send-batch.ts'

/**
 * Looks at the delegations of quotes that are about to be sent, in one round trip, but one after the other where intents go
 * alone: those that have come true are left out, and a quote with one that the chain would skip is not sent, for its intents would be left untouched.
 */
export async function reviewDelegations(
  { client, config: { chainId } }: Chain,
  quotes: readonly QueuedQuote[],
): Promise<{ ready: QueuedQuote[]; failing: FailingQuote[] }> {
  const ready: QueuedQuote[] = []
  const failing: FailingQuote[] = []
  const review = async (quote: QueuedQuote): Promise<void> => {
    let isStale = false
    const intents = await Promise.all(
      quote.intents.map(async (intent) => {
        if (!intent.delegation) return intent
        const state = await readDelegationState(client, intent.eoa)
        const verdict = judgeDelegation({ chainId, address: intent.eoa, ...intent.delegation }, state)
        if (verdict === 'stale') isStale = true
        return verdict === 'needless' ? { ...intent, delegation: null } : intent
      }),
    )
    if (isStale) failing.push({ quote, reason: 'the nonce of a delegation was used by another transaction' })
    else ready.push({ ...quote, intents })
  }
  const goesAlone = ({ intents }: QueuedQuote) => intents.some(({ alone }) => alone)
  const together = quotes.filter((quote) => !goesAlone(quote))
  await mapApart(together, false, review)
  await mapApart(quotes.filter(goesAlone), true, review)
  const order = new Map(quotes.map(({ intents }, place) => [intents[0]?.id, place]))
  ready.sort((one, other) => order.get(one.intents[0]?.id)! - order.get(other.intents[0]?.id)!)
  return { ready, failing }
}
