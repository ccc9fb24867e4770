import type { Address } from 'viem'
import type { PoisoningMatch } from '../screening/match-poisoning.ts'
import type { KnownAddress } from './match-known.ts'

/** Whom a payment goes to, once nothing speaks against it. */
export interface Recipient {
  address: Address
  /** By which it was named; null for a plain address. */
  name: { name: string; service: string } | null
  /** One of the account's own. */
  owned: boolean
  /** Nobody's code runs when it is paid; absent where that was not looked at. */
  isPlain?: boolean
  /** What it looks like, if that was acknowledged. */
  poisoning: PoisoningMatch<KnownAddress> | null
}
