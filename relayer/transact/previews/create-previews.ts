import type { SentQuotes } from '../quotes/create-quotes.ts'
import { listSaleOffers } from '../kinds/offramp/list-sale-offers.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import { formatFiat } from '../venues/cash-out/format-fiat.ts'
import type { Address } from 'viem'
import type { SwapRequest } from '../kinds/swap/swap-request.ts'
import { createStandIn } from '../intents/intent.ts'

/** Creates the previews over the quotes. Callers have checked that every accountId is the caller's own. */
export const createPreviews = (quotes: SentQuotes) => ({
  swap: (accountId: string, request: SwapPreviewRequest) => previewSwap(quotes, accountId, request),
  offramp: (accountId: string, request: OfframpPreviewRequest) => previewOfframp(quotes, accountId, request),
})

const OFFRAMP = 'offramp'
const SWAP = 'swap'
/** In percent: a preview shows any price impact; only a quote demands that the user has seen it. */
const ANY_IMPACT = 100

/**
 * Previews a cash-out and lists the other offers. Nothing is reserved or stored. No payee is disclosed: a random hash
 * replaces it. If the account's funds could not pay, nothing is run.
 *
 * @throws ServiceError as the cash-out's plan and `Quotes.preview` do.
 */
async function previewOfframp(quotes: SentQuotes, accountId: string, request: OfframpPreviewRequest) {
  const { chainId, token, amount, escrowChainId, spendableAddresses } = request
  const { plan, output, found, ...fees } = await quotes.preview(accountId, {
    kind: OFFRAMP,
    chainId,
    amount,
    async find(context) {
      const offers = await listSaleOffers(context, request)
      const planned = await kindOf(OFFRAMP).plan(context, {
        kind: OFFRAMP,
        chainId,
        token,
        amount,
        ...offers.chosen,
        payee: null,
        escrowChainId,
        spendableAddresses,
      })
      return { plan: planned, ...offers }
    },
  })
  const { methods, chosen, at } = found
  const { rate, minimumRate, paymentMethod, currency } = chosen
  const worth = (of: bigint) => formatFiat(output.expected, output.token.decimals, { rate: of, currency })
  return {
    methods,
    paymentMethod,
    currency,
    escrowChainId: at,
    escrowToken: output.token,
    /** Amount that the escrow would hold, smallest unit. */
    escrowAmount: output.expected,
    rate,
    minimumRate,
    /** Two decimals and the currency. */
    estimatedFiatAmount: worth(rate),
    minimumFiatAmount: worth(minimumRate),
    /** Members that only quotes of the kind have, in wire form. */
    members: plan.members,
    ...fees,
  }
}

/** Request for the price of a swap. */
export type SwapPreviewRequest = Omit<SwapRequest, 'kind'>
/** Preview of a swap. Output in the smallest unit of the output token, fees in that of the spent one. */
export type SwapPreview = Awaited<ReturnType<typeof previewSwap>>

/** Request for the price of a cash-out. */
export interface OfframpPreviewRequest {
  chainId: number
  token: Address
  /** Smallest unit; fees come on top. */
  amount: bigint
  /** The first method that pays, unless given. */
  paymentMethod?: string | null | undefined
  currency?: string | null | undefined
  /** Chain of the escrow; the same chain unless given. */
  escrowChainId?: number | null | undefined
  /** Only these addresses may fund it. */
  spendableAddresses?: readonly Address[] | undefined
}

/** Preview of a cash-out. Rates are the price of a whole token, times 1e18. */
export type OfframpPreview = Awaited<ReturnType<typeof previewOfframp>>

/**
 * Previews a quote of a swap. Nothing is reserved, and no address is issued: a random one replaces the recipient. If
 * the account's funds could not pay, only the venue's price is reported, and nothing is run.
 *
 * @throws ServiceError as the swap's plan and `Quotes.preview` do.
 */
async function previewSwap(quotes: SentQuotes, accountId: string, request: SwapPreviewRequest) {
  const {
    plan,
    output,
    found: _,
    ...fees
  } = await quotes.preview(accountId, {
    kind: SWAP,
    chainId: request.chainId,
    amount: request.amountIn,
    find: async (context) => ({
      plan: await kindOf(SWAP).plan(context, {
        ...request,
        kind: SWAP,
        standIn: createStandIn(),
        acknowledgedPriceImpact: ANY_IMPACT,
      }),
    }),
  })
  return {
    expectedOutput: output.expected,
    minimumOutput: output.minimum,
    outputToken: output.token,
    /** Members that only quotes of the kind have, in wire form. */
    members: plan.members,
    ...fees,
  }
}
