import type { Chain } from '../../chain/nodes/chain.ts'
import { judgeDelegation, readDelegationState } from '../intents/delegation.ts'
import type { QueuedQuote } from './plan-batches.ts'
import type { FailingQuote } from './send-batch.ts'

/**
 * Drops delegations already in effect; holds back quotes whose delegation has a stale nonce, because their intents
 * would be left untouched. Quotes of different accounts share a round trip; those of one account are read one after the
 * other.
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
  const ofAccounts = [...Map.groupBy(quotes, ({ intents }) => intents[0]?.accountId).values()]
  const rounds = Math.max(0, ...ofAccounts.map(({ length }) => length))
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(ofAccounts.flatMap((those) => those.slice(round, round + 1)).map(review))
  const order = new Map(quotes.map(({ intents }, place) => [intents[0]?.id, place]))
  ready.sort((one, other) => order.get(one.intents[0]?.id)! - order.get(other.intents[0]?.id)!)
  return { ready, failing }
}
