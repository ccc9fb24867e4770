import type { Address } from 'viem'
import type { Call } from '../../intents/intent.ts'
import type { RequestBase } from '../quote-kind.ts'

/** What a page asked the wallet to send. */
export interface DappCallRequest extends RequestBase {
  kind: 'dapp_call'
  /** Of the page. */
  origin: string
  /** In this order, all or nothing. */
  calls: readonly Call[]
  /** The account's address that the app knows: it calls, and pays. */
  connectedAddress: Address
  /** What the fee is paid in; the zero address is the native coin. */
  token: Address
  /** What the user is shown; null for nothing. */
  description: string | null
}
