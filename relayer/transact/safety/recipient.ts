import type { Address } from 'viem'
import type { PoisoningMatch } from '../screening/match-poisoning.ts'
import type { KnownAddress } from './match-known.ts'

/** A checked recipient of a payment. */
export interface Recipient {
  address: Address
  /** The name that the client used; null for a plain address. */
  name: { name: string; service: string } | null
  /** True for one of the account's own addresses. */
  owned: boolean
  /** True if no code runs when it is paid; absent if that was not checked. */
  isPlain?: boolean
  /** The known address that it resembles, if the user accepted that. */
  poisoning: PoisoningMatch<KnownAddress> | null
}
