import type { Address } from 'viem'
import { findSpareOutput } from '../../../../db/transact/spare-outputs.ts'
import { checkRecipient } from '../../safety/check-recipient.ts'
import type { Recipient } from '../../safety/recipient.ts'
import type { VenueChain } from '../../venues/swap/swap-venue.ts'
import type { KindContext } from '../quote-kind.ts'
import type { SwapRequest } from './swap-request.ts'

/**
 * Chooses the recipient of the output. It is the destination, after its checks on the chain of the payment, else an
 * address of the account that was never paid. A stand-in is not checked.
 * @throws ServiceError as checkRecipient does.
 */
export async function chooseRecipient(
  context: KindContext,
  { config, client }: VenueChain,
  { destination, standIn, acknowledgedMatch, acknowledgedContract }: SwapRequest,
  token: Address,
): Promise<Recipient> {
  const { accountId, database, addresses } = context
  if (destination !== undefined)
    return checkRecipient(context, client, accountId, {
      chainId: config.chainId,
      token,
      destination,
      acknowledgedMatch,
      acknowledgedContract,
    })
  if (standIn !== undefined) return { address: standIn, name: null, owned: true, poisoning: null }
  const spare = await findSpareOutput(database, accountId)
  const address = spare ?? (await addresses.issue(accountId, 'fund-movement')).address
  return { address, name: null, owned: true, poisoning: null }
}

/** True if the output of a request goes to an address issued for it. */
export const isOutputFresh = ({ destination, standIn }: SwapRequest): boolean =>
  destination === undefined && standIn === undefined
