import type { Address } from 'viem'
import { findHeldCollectible } from '../../../../db/account/collectible/collectible-deposits.ts'
import {
  findLiveCollectibleWithdrawal,
  findWithdrawnUntil,
  lockCollectible,
} from '../../../../db/transact/collectible-withdrawals.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { hasMovedCollectible } from '../../intents/simulated-run.ts'
import { checkRecipient } from '../../safety/check-recipient.ts'
import { usualKind, type KindContext, type QuoteKind } from '../quote-kind.ts'
import {
  collectibleNotFound,
  collectibleRecipientOwn,
  collectibleUnderWay,
  collectibleWithdrawnLately,
} from './errors.ts'
import type { NftWithdrawRequest } from './nft-withdraw-request.ts'
import { planCollectibleWithdrawal, collectibleWithdrawalDetails } from './plan-collectible-withdrawal.ts'

/** Sends a recorded collectible away for free, by the address that holds it. */
export const nftWithdrawKind: QuoteKind<NftWithdrawRequest, never> = {
  ...usualKind,
  isCharged: false,
  async plan(context, request) {
    const { database, accountId, sending } = context
    const { depositAddress, recipientAddress, tokenId } = request
    const held = await demandHeld(context, depositAddress, tokenId)
    const recipient = await checkRecipient(context, sending.chain.client, accountId, {
      ...request,
      token: held.contract,
      destination: recipientAddress,
    })
    if (recipient.owned) throw collectibleRecipientOwn()
    const quoteId = await findLiveCollectibleWithdrawal(database, accountId, held)
    if (quoteId !== null) throw collectibleUnderWay({ details: { quoteId } })
    demandRested(await findWithdrawnUntil(database, held))
    return planCollectibleWithdrawal(held, symbolOf(context, held), recipient)
  },
  async planAgain(context, { details, recipient }) {
    const { depositAddress, tokenId } = collectibleWithdrawalDetails.parse(details)
    const held = await demandHeld(context, depositAddress, tokenId)
    return planCollectibleWithdrawal(held, symbolOf(context, held), recipient)
  },
  planMax: () => Promise.reject(new Error('nobody asks for the most of a collectible')),
  // Foreign code decides: the recipient's and the collection's.
  othersCanFail: () => true,
  // The operator configured the collection.
  vouchesFor: ({ token }) => [token],
  checkSubmission(run, { recipient, details }) {
    const { depositAddress: from, contract, tokenId } = collectibleWithdrawalDetails.parse(details)
    if (!hasMovedCollectible(run, { contract, tokenId, from, to: recipient }))
      throw simulationFailed('The collectible would not arrive')
  },
  // Checks again: the collectible may have left and come back since the quote.
  async submitted(transaction, { id, chain, details }) {
    const { contract, tokenId } = collectibleWithdrawalDetails.parse(details)
    const key = { chainId: chain.config.chainId, contract, tokenId }
    await lockCollectible(transaction, key)
    demandRested(await findWithdrawnUntil(transaction, key, id))
  },
  activity: () => ({ kind: 'NFT_WITHDRAW', isExchange: false }),
}

function demandRested(until: Date | null): void {
  if (until) throw collectibleWithdrawnLately({ details: { availableAt: until.toISOString() } })
}

/** @throws ServiceError `not-found` unless the collectible is recorded and held, on the chain of the quote. */
async function demandHeld(
  { database, accountId, collections, sending }: KindContext,
  address: Address,
  tokenId: bigint,
) {
  const held = await findHeldCollectible(database, accountId, collections, { address, tokenId })
  if (held?.chainId !== sending.chainId) throw collectibleNotFound()
  return held
}

const symbolOf = (
  { collections }: KindContext,
  { chainId, contract }: { chainId: number; contract: Address },
) => collections.find((one) => one.chainId === chainId && one.contract === contract)?.symbol ?? 'NFT'
