import type { Address } from 'viem'
import {
  askSwap,
  signQuote,
  waitUntilConfirmed,
  type AskedQuote,
  type Client,
  type SwapQuote,
} from 'stealth-relay/client'

/** A swap on one chain as the user wants it. */
export interface SwapDraft {
  chainId: number
  from: SwapToken
  to: SwapToken
  /** In the smallest unit of `from`. */
  amount: bigint
}

/** A token of a swap; the zero address is the coin. */
export interface SwapToken {
  address: Address
  symbol: string
  decimals: number
}

/** An offer of the service, which reserves the money. */
export interface SwapOffer {
  draft: SwapDraft
  quote: SwapQuote
  /** In the smallest unit of the token that comes. */
  expected: bigint
  least: bigint
  /** In the smallest unit of the token that goes. */
  fee: bigint
  payers: number
  isLinked: boolean
  isStale: () => boolean
}

/** Asks for an offer. @throws ServiceRefusal. */
export async function askSwapOffer(client: Client, draft: SwapDraft): Promise<SwapOffer> {
  const { chainId, from, to, amount } = draft
  const terms = { chainId, tokenIn: from.address, tokenOut: to.address, amountIn: amount }
  const quote = await askSwap(client, { ...terms })
  const { refresh } = quote as unknown as { refresh: { after: string } }
  return {
    draft,
    quote,
    expected: BigInt(quote.expectedOutput),
    least: BigInt(quote.minimumOutput),
    fee: BigInt(quote.fees.total),
    payers: quote.intents.length,
    isLinked: quote.fundingCaveats.some(({ kind }) => kind === 'output_linked'),
    isStale: () => Date.parse(refresh.after) < Date.now(),
  }
}

/**
 * Signs what the user has read, by the client package's checks, submits it, and follows it to its end.
 * @throws Error if a check fails, the service refuses, or the swap fails.
 */
export async function makeSwap(
  client: Client,
  offer: SwapOffer,
  show: (state: string) => void,
): Promise<string> {
  const { draft, quote, least, fee, payers } = offer
  show('signing')
  const asked: AskedQuote = {
    type: 'swap',
    chainId: draft.chainId,
    tokenIn: draft.from.address,
    tokenOut: draft.to.address,
    amountIn: draft.amount,
    // What the screen has shown, and no less or more.
    leastOutput: least,
    maxFee: fee,
    maxAddresses: payers,
  }
  const body = await signQuote(client, quote, asked)
  show('submitting')
  await client.call('submitQuote', { body })
  return waitUntilConfirmed(client, quote.quoteId, show)
}
