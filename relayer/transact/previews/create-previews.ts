import type { SentQuotes } from '../quotes/create-quotes.ts'
import { listOffers, type OfferedMethod } from '../kinds/offramp/list-offers.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import { formatFiat } from '../venues/cash-out/format-fiat.ts'
import type { Address } from 'viem'
import type { Token } from '../../market/tokens/tokens.ts'
import { createStandIn } from '../intents/intent.ts'

/** Creates the previews over the quotes. */
export const createPreviews = (quotes: SentQuotes): Previews => ({
  swap: (accountId, request) => previewSwap(quotes, accountId, request),
  offramp: (accountId, request) => previewOfframp(quotes, accountId, request),
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
async function previewOfframp(
  quotes: SentQuotes,
  accountId: string,
  request: OfframpPreviewRequest,
): Promise<OfframpPreview> {
  const { chainId, token, amount, escrowChainId, spendableAddresses } = request
  const { plan, output, found, ...fees } = await quotes.preview(accountId, {
    kind: OFFRAMP,
    chainId,
    amount,
    async find(context) {
      const offers = await listOffers(context, request)
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
    escrowAmount: output.expected,
    rate,
    minimumRate,
    estimatedFiatAmount: worth(rate),
    minimumFiatAmount: worth(minimumRate),
    members: plan.members,
    ...fees,
  }
}

/** Request for the price of a swap. */
export interface SwapPreviewRequest {
  chainId: number
  /** The zero address is the native coin. */
  tokenIn: Address
  tokenOut: Address
  tokenOutChainId?: number | null | undefined
  /** Amount that would be exchanged, in the smallest unit of `tokenIn`; fees come on top. */
  amountIn: bigint
  /** Requested slippage, in basis points; chosen by the service unless given. */
  requestedSlippageBps: number | undefined
  /** Only these addresses may fund it. */
  spendableAddresses?: readonly Address[] | undefined
}

/** Preview of a swap. Output in the smallest unit of the output token, fees in that of the spent one. */
export interface SwapPreview {
  expectedOutput: bigint
  minimumOutput: bigint
  outputToken: Token
  /** Members that only quotes of swaps have, in wire form. */
  members: Readonly<Record<string, unknown>>
  /** Null if the account could not pay and the cost of such a swap was not measured recently. */
  feeEstimate: bigint | null
  protocolFeeBps: number
  protocolFeeAmount: bigint
  /** The account's funds could not pay: only the venue's price is reported, and nothing was run. */
  rateOnly: boolean
}

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
export interface OfframpPreview {
  methods: readonly OfferedMethod[]
  /** Method and currency of the price below. */
  paymentMethod: string
  currency: string
  escrowChainId: number
  escrowToken: Token
  /** Amount that the escrow would hold, smallest unit. */
  escrowAmount: bigint
  rate: bigint
  minimumRate: bigint
  /** Two decimals and the currency. */
  estimatedFiatAmount: string
  minimumFiatAmount: string
  /** Members that only quotes of cash-outs have, in wire form. */
  members: Readonly<Record<string, unknown>>
  /** Smallest unit of the spent token; null if the account could not pay and the cost was not measured recently. */
  feeEstimate: bigint | null
  protocolFeeBps: number
  protocolFeeAmount: bigint
  /** The account's funds could not pay: only the price is reported, and nothing was run. */
  rateOnly: boolean
}

/** Previews of those kinds of quotes that have one. Callers have checked that every accountId is the caller's own. */
export interface Previews {
  /**
   * Previews a quote of a swap; nothing is reserved and no address is issued.
   * @throws ServiceError as quotes do, except shortages of funds.
   */
  swap(accountId: string, request: SwapPreviewRequest): Promise<SwapPreview>
  /**
   * Previews a cash-out and lists the other offers; nothing is reserved, and no payee is disclosed.
   * @throws ServiceError as quotes do, except shortages of funds.
   */
  offramp(accountId: string, request: OfframpPreviewRequest): Promise<OfframpPreview>
}

/**
 * Previews a quote of a swap. Nothing is reserved, and no address is issued: a random one replaces the recipient. If
 * the account's funds could not pay, only the venue's price is reported, and nothing is run.
 *
 * @throws ServiceError as the swap's plan and `Quotes.preview` do.
 */
async function previewSwap(
  quotes: SentQuotes,
  accountId: string,
  request: SwapPreviewRequest,
): Promise<SwapPreview> {
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
    members: plan.members,
    ...fees,
  }
}
