import type { Address } from 'viem'
import type { SpendKind } from '../../pool/book/book-content.ts'
import type { RecipientRequest } from '../safety/check-recipient.ts'

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
