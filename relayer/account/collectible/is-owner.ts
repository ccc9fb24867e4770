import { erc721Abi, isAddressEqual, type PublicClient } from 'viem'
import type { HeldCollectible } from '../../../db/account/collectible/collectible-deposits.ts'
import { isSilence } from '../../chain/is-silence.ts'
import { serverBusy } from '../../errors.ts'

/**
 * Whether a contract says at the newest block that an address owns a token. A contract that reverts, or answers no address,
 * says no.
 * @throws ServiceError `unavailable` SERVER_BUSY when no node answers.
 */
export async function isOwner(
  client: PublicClient,
  { contract, tokenId, address }: Pick<HeldCollectible, 'contract' | 'tokenId' | 'address'>,
): Promise<boolean> {
  try {
    const owner = await client.readContract({
      address: contract,
      abi: erc721Abi,
      functionName: 'ownerOf',
      args: [tokenId],
    })
    return isAddressEqual(owner, address)
  } catch (cause) {
    if (isSilence(cause)) throw serverBusy('The chain cannot be asked now; try again in a moment', { cause })
    return false
  }
}
