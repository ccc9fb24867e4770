import type { Address } from 'viem'
import type { Call } from '../../intents/intent.ts'
import type { RequestBase } from '../quote-kind.ts'

/** Calls that a page asked the wallet to send. */
export interface DappCallRequest extends RequestBase {
  kind: 'dapp_call'
  /** Origin of the page. */
  origin: string
  /** Executed in this order, all or nothing. */
  calls: readonly Call[]
  /** The account's address that the app knows; it makes the calls and pays. */
  connectedAddress: Address
  /** Token that pays the fee; the zero address is the native coin. */
  token: Address
  /** Description for the user; null for none. */
  description: string | null
}
