// SPDX-License-Identifier: MIT
/**
 * How a client swaps, on one chain or to another. It asks for a quote and decodes every call. The swap must take no
 * more and give no less than the quote says, and give it only to the account. Then it signs, submits and follows as
 * with a payment. To follow funds to another chain: {@link followCrossing}.
 */
import type { CarriedToken } from '../chain/known-chain.ts'
import { sleep } from '../requests/sleep.ts'
import { type Client } from '../account/open-client.ts'
import { checkSwap } from './check-swap.ts'
import { signAndSubmit, type Quote, type SpendLimits } from './send.ts'
import { silently, type Step } from '../requests/step.ts'
import type { Address, Hex } from 'viem'

export interface SwapOptions extends SpendLimits {
  chainId: number
  /** The zero address is the native coin. */
  tokenIn: Address
  tokenOut: Address
  /** The amount to swap, in the smallest unit of `tokenIn`; fees come on top. */
  amountIn: bigint
  /**
   * The least to accept, in the smallest unit of `tokenOut`. The service may expect any amount: the wallet asks a node for
   * the price, or its user has agreed to this amount.
   */
  leastOutput: bigint
  /** The highest slippage to accept, in basis points; chosen by the service if left out. */
  slippageBps?: number
  /** Recipient of the output; a fresh address of the account unless given. */
  destination?: Address
  /** The chain of the output; that of `tokenIn` unless given. */
  tokenOutChainId?: number
  /** Contracts instead of those of the wallet's record; nothing else is called, whatever the service says. */
  contracts?: SwapContracts
  /** The way to the other chain, instead of the one that the wallet's record gives. */
  crossing?: Crossing
  step?: Step
}

/** The part of a request that the service needs; the wallet's limits stay in the wallet. */
export type AskedSwap = Omit<SwapOptions, 'leastOutput' | 'maxFee'>

/** The contracts of a chain that swaps use. */
export interface SwapContracts {
  wrapped: Address
  router: Address | null
}

/** The way to another chain over Across, as the client itself knows it. */
export interface Crossing {
  /** The chain of the output. */
  chainId: number
  /** Takes the deposit, on the chain of `tokenIn`. */
  spokePool: Address
  /** Runs the message of a deposit on the other chain; null where no exchange is made there. */
  multicallHandler: Address | null
  /** Of the other chain. */
  contracts: SwapContracts
  /** One asset on both chains; a coin is carried as the wrapped one. */
  carried: readonly { input: CarriedToken; output: CarriedToken }[]
  /** The highest bridge fee, in basis points; 300 unless given. */
  maxFeeBps?: number
  /** Seconds since 1970 by the clock of the destination; by this machine's unless given. */
  now?: number
}

/** Members that only a quote of a swap has. */
export interface SwapQuote extends Quote {
  outputSymbol: string
  outputDecimals: number
  routing: string
  slippageBps: number
  /** Percent; null if no pool has a price. */
  priceImpact: number | null
  planId: string
  /** Refund address and fill deadline; null without a bridge. */
  recoveryRecipient: Address | null
  fillDeadline: string | null
}

/** @throws Error where the service refuses, the quote does something else, or the swap fails. */
export async function swap(client: Client, options: SwapOptions): Promise<{ quote: SwapQuote; txHash: Hex }> {
  const { step = silently } = options
  const quote = await step('ask for a quote, which reserves the funds', () => askSwap(client, options))
  const approved = await step('verify who signed the quote, and decode what it does', () =>
    checkSwap(client, quote, options),
  )
  return { quote, txHash: await signAndSubmit(client, approved, step) }
}

/** The answer to a preview. */
export interface SwapPreview {
  expectedOutput: string
  minimumOutput: string
  /** In `tokenIn`; null if unknown. */
  feeEstimate: string | null
  priceImpact: number | null
  /** The account's funds do not suffice. */
  rateOnly: boolean
}

/** Asks for a quote's terms as of now; reserves nothing. */
export async function previewSwap(client: Client, options: AskedSwap): Promise<SwapPreview> {
  const { chainId, tokenIn, tokenOut, amountIn, slippageBps, crossing, tokenOutChainId } = options
  return client.ask<SwapPreview>('POST', `/v1/accounts/${client.accountId}/swap-preview`, {
    chainId,
    tokenIn,
    tokenOut,
    tokenOutChainId: tokenOutChainId ?? crossing?.chainId,
    amountIn: String(amountIn),
    slippageBps,
  })
}

/** The price is outdated after `refresh.after`: see `refreshQuote` in send.ts. */
export async function askSwap(client: Client, options: AskedSwap): Promise<SwapQuote> {
  const { chainId, tokenIn, tokenOut, amountIn, slippageBps, crossing, destination, tokenOutChainId } =
    options
  return client.ask<SwapQuote>('POST', `/v1/accounts/${client.accountId}/quote`, {
    type: 'swap',
    chainId,
    tokenIn,
    tokenOut,
    tokenOutChainId: tokenOutChainId ?? crossing?.chainId,
    amountIn: String(amountIn),
    slippageMode: slippageBps === undefined ? 'auto' : 'custom',
    slippageBps,
    destinationAddress: destination,
  })
}

/** The outcome of a deposit with a bridge. */
export interface CrossingStatus {
  bridgeStatus: 'pending' | 'confirmed_source' | 'completed' | 'expired' | 'refunded' | 'failed'
  destTxHash: Hex | null
  refundTxHash: Hex | null
}

/** Follows a confirmed swap to another chain until it has one of these states. @throws Error where it ends otherwise. */
export async function followCrossing(
  client: Client,
  { quoteId }: Pick<SwapQuote, 'quoteId'>,
  {
    until = ['completed'],
    show = () => {},
    patienceMs = 120_000,
  }: {
    until?: readonly CrossingStatus['bridgeStatus'][]
    show?: (state: string) => void
    patienceMs?: number
  } = {},
): Promise<CrossingStatus> {
  const end = performance.now() + patienceMs
  for (;;) {
    const path = `/v1/accounts/${client.accountId}/relay-status/${quoteId}`
    const { bridge } = await client.ask<{ bridge: CrossingStatus | null }>('GET', path)
    if (!bridge) throw new Error('this quote crosses no bridge')
    show(bridge.bridgeStatus)
    if (until.includes(bridge.bridgeStatus)) return bridge
    if (['completed', 'refunded', 'failed'].includes(bridge.bridgeStatus) || performance.now() > end)
      throw new Error(`the order is ${bridge.bridgeStatus}`)
    await sleep(500)
  }
}
