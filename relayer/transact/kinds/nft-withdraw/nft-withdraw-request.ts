import type { Address } from 'viem'
import type { RecipientRequest } from '../../safety/check-recipient.ts'
import type { RequestBase } from '../quote-kind.ts'

/** Request to send a collectible away. */
export interface NftWithdrawRequest
  extends RequestBase, Pick<RecipientRequest, 'acknowledgedMatch' | 'acknowledgedContract'> {
  kind: 'nft_withdraw'
  /** The account's address that holds the collectible. */
  depositAddress: Address
  recipientAddress: Address
  tokenId: bigint
}
