import type { Address } from 'viem'
import { TEXTS } from '../texts.ts'
import {
  askSwap,
  followCrossing,
  signQuote,
  SubmissionFailed,
  waitUntilConfirmed,
  type AskedQuote,
  type Client,
  type SwapQuote,
} from 'stealth-relay/client'

/** A swap as the user wants it. */
export interface SwapDraft {
  chainId: number
  /** The chain of the output: the same, or another. */
  toChainId: number
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
  /** How it comes to the other chain; null on one chain. */
  crossing: { estimatedMs: number | null; deadline: Date } | null
  isStale: () => boolean
}

/** A page that is open sees the refund too, which comes at the latest hours after the deadline. */
const CROSSING_PATIENCE_MS = 6 * 3_600_000

/** Asks for an offer. @throws ServiceRefusal. */
export async function askSwapOffer(client: Client, draft: SwapDraft): Promise<SwapOffer> {
  const quote = await askSwap(client, termsOf(draft))
  const { refresh, estimatedFillTimeMs } = quote as unknown as {
    refresh: { after: string }
    estimatedFillTimeMs: number | null
  }
  return {
    draft,
    quote,
    expected: BigInt(quote.expectedOutput),
    least: BigInt(quote.minimumOutput),
    fee: BigInt(quote.fees.total),
    payers: quote.intents.length,
    isLinked: quote.fundingCaveats.some(({ kind }) => kind === 'output_linked'),
    crossing: quote.fillDeadline
      ? { estimatedMs: estimatedFillTimeMs, deadline: new Date(quote.fillDeadline) }
      : null,
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
    ...termsOf(draft),
    // The figures on the screen are the limits.
    leastOutput: least,
    maxFee: fee,
    maxAddresses: payers,
  }
  const body = await signQuote(client, quote, asked)
  show('submitting')
  await client.call('submitQuote', { body })
  const txHash = await waitUntilConfirmed(client, quote.quoteId, show)
  if (!offer.crossing) return txHash
  const { bridgeStatus, destTxHash } = await followCrossing(client, quote, {
    until: ['completed', 'refunded'],
    show: (state) => show(`bridge_${state}`),
    patienceMs: CROSSING_PATIENCE_MS,
  })
  if (bridgeStatus === 'refunded') throw new SubmissionFailed(TEXTS.swap.refunded)
  return destTxHash ?? txHash
}

const termsOf = ({ chainId, toChainId, from, to, amount }: SwapDraft) => ({
  chainId,
  tokenIn: from.address,
  tokenOut: to.address,
  amountIn: amount,
  ...(toChainId !== chainId && { tokenOutChainId: toChainId }),
})
