// SPDX-License-Identifier: MIT
/**
 * How a client uses a collectible. It reports to the service that one came in, which waives the service fees while it
 * is held, and sends it away for free. It checks the intent before it signs: the transfer of this one token, and
 * nothing else.
 */
import { collectibleAbi } from '../chain/abis.ts'
import { isAddressEqual, type Address, type Hex } from 'viem'
import { demandFew, demandParts } from './check-send.ts'
import type { Client } from '../account/open-client.ts'
import { decode, demandTo } from '../chain/decode-call.ts'
import { A_DAY, readOrders } from './read-orders.ts'
import { signAndSubmit, type Quote } from './send.ts'
import { approve, type Approved } from './sign-orders.ts'
import { silently, type Step } from '../requests/step.ts'

export interface CollectibleState {
  /** Service fees are waived. */
  active: boolean
  deposits: { tokenId: string; imageUrl: string | null; depositAddress: Address }[]
}

export interface WithdrawCollectibleOptions {
  chainId: number
  /** The collection's contract, as the wallet knows it. */
  contract: Address
  tokenId: string
  /** The account's address that holds it. */
  depositAddress: Address
  recipient: Address
  step?: Step
}

export interface CollectibleQuote extends Quote {
  tokenId: string
  depositAddress: Address
  recipientAddress: Address
}

/** Records the receipt. */
export const verifyCollectible = (client: Client): Promise<CollectibleState> =>
  client.ask('POST', `/v1/accounts/${client.accountId}/collectible/verify`, {})

/** @returns The transaction that sent it. @throws Error where the service refuses, or the quote does something else. */
export async function withdrawCollectible(client: Client, options: WithdrawCollectibleOptions): Promise<Hex> {
  const { depositAddress, recipient, tokenId, step = silently } = options
  const quote = await step('ask for an intent that sends it away', () =>
    client.ask<CollectibleQuote>('POST', `/v1/accounts/${client.accountId}/collectible/withdraw`, {
      depositAddress,
      recipientAddress: recipient,
      tokenId,
    }),
  )
  const approved = await step('verify that it sends this collectible and nothing else', () =>
    checkCollectible(client, quote, options),
  )
  return signAndSubmit(client, approved, step)
}

/** @throws Error unless the quote is the service's and transfers exactly this collectible. */
export async function checkCollectible(
  client: Client,
  quote: CollectibleQuote,
  { chainId, contract, depositAddress, recipient, tokenId }: WithdrawCollectibleOptions,
): Promise<Approved> {
  const orders = await readOrders(client, quote, client.chainOf(chainId), A_DAY)
  demandFew(quote, orders, { maxFee: 0n })
  const [intent] = orders.intents
  if (!intent || !isAddressEqual(intent.eoa, depositAddress))
    throw new Error('another address than the one that holds it would act')
  const [call, ...more] = intent.calls
  if (!call || more.length > 0) throw new Error('the intent does something else')
  const [from, to, id] = decode(collectibleAbi, 'safeTransferFrom', demandTo(call, contract, 0n))
  if (!isAddressEqual(from, depositAddress) || !isAddressEqual(to, recipient) || id !== BigInt(tokenId))
    throw new Error('the intent sends something else, or to somebody else')
  const isTold =
    isAddressEqual(quote.outputToken, contract) &&
    isAddressEqual(quote.outputRecipient, recipient) &&
    isAddressEqual(quote.recipientAddress, recipient) &&
    isAddressEqual(quote.depositAddress, depositAddress) &&
    quote.tokenId === tokenId &&
    quote.fees.total === '0'
  demandParts(quote.fees)
  if (!isTold) throw new Error('the quote says something else than its intent does')
  return approve(orders)
}
