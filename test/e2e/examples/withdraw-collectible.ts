/**
 * How a client uses a collectible: it tells the service that one came in, which waives the service fees while it is held, and
 * sends it away for free. It checks the intent before it signs: the transfer of this one token, and nothing else.
 */
import { decodeFunctionData, erc721Abi, isAddressEqual, type Address, type Hex } from 'viem'
import { checkEnvelope, decodeCalls } from './check-quote.ts'
import type { Client } from './client.ts'
import { signAndSubmit, type Quote } from './send.ts'
import { silently, type Step } from './step.ts'

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

/** Records what came in. */
export const verifyCollectible = (client: Client): Promise<CollectibleState> =>
  client.ask('POST', `/v1/accounts/${client.accountId}/collectible/verify`, {})

/** @returns The transaction that sent it. @throws Error where the service refuses, or the quote does something else. */
export async function withdrawCollectible(client: Client, options: WithdrawCollectibleOptions): Promise<Hex> {
  const { depositAddress, recipient, tokenId, step = silently } = options
  const quote = await step('ask for an intent that sends it away', () =>
    client.ask<Quote>('POST', `/v1/accounts/${client.accountId}/collectible/withdraw`, {
      depositAddress,
      recipientAddress: recipient,
      tokenId,
    }),
  )
  await step('verify that it sends this collectible and nothing else', () =>
    checkWithdrawal(client, quote, options),
  )
  return signAndSubmit(client, quote, step)
}

/** @throws Error unless the quote is the service's and transfers exactly this collectible. */
export async function checkWithdrawal(
  client: Client,
  quote: Quote,
  { chainId, contract, depositAddress, recipient, tokenId }: WithdrawCollectibleOptions,
): Promise<void> {
  await checkEnvelope(client, quote, chainId)
  const [intent, ...others] = quote.intents
  if (!intent || others.length > 0 || !isAddressEqual(intent.eoa, depositAddress))
    throw new Error('another address than the one that holds it would act')
  const [call, ...more] = decodeCalls(intent.executionData)
  if (!call || more.length > 0 || call.value !== 0n || !isAddressEqual(call.to, contract))
    throw new Error('the intent does something else')
  const { functionName, args } = decodeFunctionData({ abi: erc721Abi, data: call.data })
  const isRight =
    functionName === 'safeTransferFrom' &&
    isAddressEqual(args[0], depositAddress) &&
    isAddressEqual(args[1], recipient) &&
    args[2] === BigInt(tokenId) &&
    args.length === 3
  if (!isRight) throw new Error('the intent sends something else, or to somebody else')
}
