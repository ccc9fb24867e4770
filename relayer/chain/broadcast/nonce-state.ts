import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import { NONCE_FILLER } from './outbox.ts'
import type { Purpose } from './nonce-machine.ts'
import type { NonceState } from './nonce-terms.ts'

/** The columns of a transaction that determine its state. */
export interface OutboundFacts {
  status: 'queued' | 'signed' | 'sent' | 'confirmed' | 'reverted' | 'abandoned'
  /** The form that is in a block; null while none is known to be. */
  minedHash: string | null
  forms: readonly { delivery: 'unknown' | 'accepted' | 'refused' }[]
}

/** The state of a row. No row is `offered`: an instance that ends while it gives a form to nodes leaves `unheard` behind. */
export function stateOf({ status, minedHash, forms }: OutboundFacts): Exclude<NonceState, 'offered'> {
  if (status !== 'signed' && status !== 'sent') return status
  if (minedHash !== null) return 'mined'
  if (status === 'sent') return 'sent'
  return forms.every(({ delivery }) => delivery === 'refused') ? 'refused' : 'unheard'
}

/** Returns the purpose of a transaction. `pointless`: why it can only fail by now; null while it may succeed. */
export function purposeOf({ kind, pointless }: { kind: string; pointless?: string | null }): Purpose {
  if (kind === NONCE_FILLER) return 'filler'
  return (pointless ?? null) === null ? 'call' : 'pointless'
}

/** State and purpose of a transaction as it was listed. */
export const nowOf = (outbound: UnfinishedOutbound) => ({
  state: stateOf({ ...outbound, forms: outbound.attempts }),
  purpose: purposeOf(outbound),
})
