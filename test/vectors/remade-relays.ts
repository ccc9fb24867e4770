import { computeContext, encodeRelayData, type RelayData } from '../../relayer/pool/state/formulas.ts'
import { at, VECTOR_RELAY_FEE_BPS, type RelayStory } from './relay-story.ts'

/** A relay of the story with other relay data. */
export interface RemadeRelay {
  /** Place in the story's relays. */
  relay: number
  changes: Partial<RelayData>
}

/** Those that tests need: their proofs are stored, because each takes five seconds to make. */
export const REMADE_RELAYS: readonly RemadeRelay[] = [
  { relay: 2, changes: { relayFeeBps: 90n } },
  { relay: 62, changes: { recipient: '0x00000000000000000000000000000000000fee1d', relayFeeBps: 70n } },
]

/** What a proof of it is about. */
export function describeRemade(story: RelayStory, { relay, changes }: RemadeRelay) {
  const { deposit, recipient, withdrawal: original } = at(story.relays, relay)
  const { feeRecipient, entrypoint } = story
  const terms = { recipient, feeRecipient, relayFeeBps: VECTOR_RELAY_FEE_BPS, ...changes }
  const withdrawal = { ...original, processooor: entrypoint, data: encodeRelayData(terms) }
  const { scope } = story.pools[at(story.deposits, deposit).pool]
  return { withdrawal, recipient: terms.recipient, context: computeContext(withdrawal, scope) }
}
