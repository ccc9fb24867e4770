import { hexText } from '../../../../db/column-types.ts'
import { type Address, encodeFunctionData, erc721Abi } from 'viem'
import {
  findHeldCollectible,
  type WithdrawableCollectible,
} from '../../../../db/account/collectible/collectible-deposits.ts'
import {
  findLiveCollectibleWithdrawal,
  findWithdrawnUntil,
  lockCollectible,
  insertWithdrawals,
  isCollectibleWithdrawalTaken,
} from '../../../../db/transact/collectible-withdrawals.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { hasMovedCollectible, PLAIN_EFFECTS } from '../../intents/simulated-run.ts'
import { checkRecipient, type AcknowledgedWarnings, type Recipient } from '../../safety/check-recipient.ts'
import type { SendingChain } from '../../intents/sending-chain.ts'
import {
  usualKind,
  type KindContext,
  type KindParts,
  type QuoteKind,
  type RequestBase,
} from '../quote-kind.ts'
import {
  collectibleNotFound,
  collectibleRecipientOwn,
  collectibleUnderWay,
  collectibleWithdrawnLately,
} from './errors.ts'
import { z } from 'zod'
import type { FreeCaller, QuotePlan } from '../quote-plan.ts'

/** Most gas that the service pays for. */
const MAX_GAS = 300_000n

/** Details of a withdrawal that its refresh and its submission need. */
const collectibleWithdrawalDetails = z.object({
  depositAddress: hexText,
  contract: hexText,
  tokenId: z.string().transform(BigInt),
})

/** Plans one intent by the address that holds the collectible: the transfer and nothing else. */
function planCollectibleWithdrawal(
  { chainId, contract, tokenId, address, derivationNonce }: WithdrawableCollectible,
  symbol: string,
  recipient: Recipient,
): QuotePlan {
  const moved = { contract, tokenId, from: address, to: recipient.address }
  return {
    token: contract,
    funding: {
      from: 'service',
      address,
      derivationNonce,
      maxGas: MAX_GAS,
      token: describeCollectible(chainId, contract, symbol),
    },
    isNativeAtPar: true,
    gasKey: `nft_withdraw ${contract}`,
    calls: () => [
      {
        to: contract,
        value: 0n,
        data: encodeFunctionData({
          abi: erc721Abi,
          functionName: 'safeTransferFrom',
          args: [address, recipient.address, tokenId],
        }),
      },
    ],
    amount: 1n,
    recipient,
    details: { depositAddress: address, contract, tokenId: String(tokenId) },
    effects: PLAIN_EFFECTS,
    checkRun(run) {
      if (!hasMovedCollectible(run, moved))
        throw simulationFailed('The recipient would not receive the collectible')
    },
    isVolatile: false,
    outputOf: (amount, described) => ({ token: described, expected: amount, minimum: amount }),
    members: {
      depositAddress: address,
      recipientAddress: recipient.address,
      tokenId: String(tokenId),
    },
    async keep(transaction, quote) {
      await insertWithdrawals(transaction, quote, [{ chainId, contract, tokenId }]).catch(
        (error: unknown) => {
          throw isCollectibleWithdrawalTaken(error) ? collectibleUnderWay() : error
        },
      )
    },
  }
}

/** A collection as the token that such a quote spends one unit of. */
const describeCollectible = (chainId: number, contract: Address, symbol: string): FreeCaller['token'] => ({
  chainId,
  address: contract,
  symbol,
  name: symbol,
  decimals: 0,
  logoUri: null,
  visibility: 'verified',
  metadataSource: 'configuration',
  spam: false,
  isPartner: false,
})

/** Sends a recorded collectible away for free, by the address that holds it. */
export const nftWithdrawKind: QuoteKind<NftWithdrawRequest, never> = {
  ...usualKind,
  price: 'none',
  async chainOf(parts, accountId, request) {
    return (await demandHeld({ ...parts, accountId }, request.depositAddress, request.tokenId)).chainId
  },
  async plan(context, request) {
    const { database, accountId, sending } = context
    const { depositAddress, recipientAddress, tokenId } = request
    const held = await demandHeld(context, depositAddress, tokenId)
    const recipient = await checkRecipient(context, sending.chain.client, accountId, {
      ...request,
      chainId: held.chainId,
      token: held.contract,
      destinationAddress: recipientAddress,
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
  planMax: () => Promise.reject(new Error('max-spendable does not exist for a collectible')),
  // Foreign code decides: the recipient's and the collection's.
  othersCanFail: () => true,
  // The operator configured the collection.
  vouchesFor: ({ token }) => [token],
  checkSubmission(run, { recipient, details }) {
    const { depositAddress: from, contract, tokenId } = collectibleWithdrawalDetails.parse(details)
    if (!hasMovedCollectible(run, { contract, tokenId, from, to: recipient }))
      throw simulationFailed('The recipient would not receive the collectible')
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

/**
 * Finds a collectible of the account.
 * @throws ServiceError `not-found` unless it is recorded and held, on the chain of the quote if there is one.
 */
async function demandHeld(
  { database, accountId, collections, sending }: KindParts & { accountId: string; sending?: SendingChain },
  address: Address,
  tokenId: bigint,
) {
  const held = await findHeldCollectible(database, accountId, collections, { address, tokenId })
  if (!held || (sending && held.chainId !== sending.chainId)) throw collectibleNotFound()
  return held
}

const symbolOf = (
  { collections }: KindContext,
  { chainId, contract }: { chainId: number; contract: Address },
) => collections.find((one) => one.chainId === chainId && one.contract === contract)?.symbol ?? 'NFT'

/** Request to send a collectible away. */
interface NftWithdrawRequest extends RequestBase, AcknowledgedWarnings {
  kind: 'nft_withdraw'
  /** The account's address that holds the collectible. */
  depositAddress: Address
  recipientAddress: Address
  tokenId: bigint
}
