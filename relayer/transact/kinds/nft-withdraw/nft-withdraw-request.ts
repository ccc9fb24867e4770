import type { Address } from 'viem'
import type { RecipientRequest } from '../../safety/check-recipient.ts'
import type { RequestBase } from '../quote-kind.ts'

/** A collectible that is to be sent away. */
export interface NftWithdrawRequest
  extends RequestBase, Pick<RecipientRequest, 'acknowledgedMatch' | 'acknowledgedContract'> {
  kind: 'nft_withdraw'
  /** The account's address that holds it. */
  depositAddress: Address
  recipientAddress: Address
  tokenId: bigint
}
