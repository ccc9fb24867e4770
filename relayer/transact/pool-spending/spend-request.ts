import type { Address } from 'viem'
import type { RecipientRequest } from '../safety/check-recipient.ts'

/** incognito_send pays somebody; incognito_self_send pays fresh addresses of the account, one for each withdrawal. */
export const SPEND_KINDS = ['incognito_send', 'incognito_self_send'] as const
/** Name of a kind of told spending. */
export type SpendKind = (typeof SPEND_KINDS)[number]

/** What a wallet that tells wants to spend from a pool. Amounts in the token's smallest unit. */
export interface SpendRequest extends Pick<RecipientRequest, 'acknowledgedMatch' | 'acknowledgedContract'> {
  kind: SpendKind
  chainId: number
  /** The zero address is the native coin. */
  token: Address
  /** What is to arrive; ignored with `maxSend`. */
  amount: bigint
  maxSend: boolean
  decimals: number | undefined
  /** Checked where it is given, and never kept. Absent: the service never learns who is paid. */
  destination: string | undefined
  /** Seconds that the notes stay locked. */
  ttl: number | undefined
}
