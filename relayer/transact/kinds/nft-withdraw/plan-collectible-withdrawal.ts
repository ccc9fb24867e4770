import { encodeFunctionData, erc721Abi, type Address } from 'viem'
import { z } from 'zod'
import type { WithdrawableCollectible } from '../../../../db/account/collectible/collectible-deposits.ts'
import {
  insertWithdrawals,
  isCollectibleWithdrawalTaken,
} from '../../../../db/transact/collectible-withdrawals.ts'
import { simulationFailed } from '../../../chain/errors.ts'
import { PLAIN_EFFECTS } from '../../intents/run-effects.ts'
import { hasMovedCollectible } from '../../intents/simulated-run.ts'
import type { Recipient } from '../../safety/recipient.ts'
import type { FreeCaller, QuotePlan } from '../quote-plan.ts'
import { collectibleUnderWay } from './errors.ts'

/** Most gas that the service pays for. */
const MAX_GAS = 300_000n

/** Details of a withdrawal that its refresh and its submission need. */
export const collectibleWithdrawalDetails = z.object({
  depositAddress: z.string().transform((text) => text as Address),
  contract: z.string().transform((text) => text as Address),
  tokenId: z.string().transform(BigInt),
})

/** Plans one intent by the address that holds the collectible: the transfer and nothing else. */
export function planCollectibleWithdrawal(
  { chainId, contract, tokenId, address, derivationNonce }: WithdrawableCollectible,
  symbol: string,
  recipient: Recipient,
): QuotePlan {
  const caller: FreeCaller = {
    address,
    derivationNonce,
    maxGas: MAX_GAS,
    token: {
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
    },
  }
  const moved = { contract, tokenId, from: address, to: recipient.address }
  const members = {
    depositAddress: address,
    recipientAddress: recipient.address,
    tokenId: String(tokenId),
  }
  return {
    token: contract,
    funding: { from: 'service', ...caller },
    transport: 'shared',
    price: 'none',
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
    decimals: undefined,
    recipient,
    details: { depositAddress: address, contract, tokenId: String(tokenId) },
    effects: PLAIN_EFFECTS,
    checkRun(run) {
      if (!hasMovedCollectible(run, moved)) throw simulationFailed('The collectible would not arrive')
    },
    isVolatile: false,
    outputOf: (amount, described) => ({ token: described, expected: amount, minimum: amount }),
    members,
    async keep(transaction, quote) {
      await insertWithdrawals(transaction, quote, [{ chainId, contract, tokenId }]).catch(
        (error: unknown) => {
          throw isCollectibleWithdrawalTaken(error) ? collectibleUnderWay() : error
        },
      )
    },
  }
}
