import { hexText } from '../../../../db/column-types.ts'
import { randomUUID } from 'node:crypto'
import { zeroAddress, type Address } from 'viem'
import { z } from 'zod'
import { simulationFailed } from '../../../chain/errors.ts'
import { keyOf, tokenIdOf } from '../../../market/tokens/token-id.ts'
import type { Token } from '../../../market/tokens/tokens.ts'
import { readToken } from '../../read-token.ts'
import type { RunEffects } from '../../intents/simulated-run.ts'
import type { Recipient } from '../../safety/check-recipient.ts'
import { expectedOf } from '../../venues/swap/swap-venue.ts'
import { HOUR, roundUpTo } from '../../intents/batch-gas.ts'
import type { KindContext } from '../quote-kind.ts'
import {
  type FunderFilter,
  type MaxPlan,
  type PaidPart,
  type QuotePlan,
  type SpendingPlan,
  fundersOf,
  paidRunsOf,
} from '../quote-plan.ts'
import { checkSwapRun, deliveredTo, outputPayeeOf } from './check-swap-run.ts'
import { judgePrice, type JudgedPrice, type PriceTerms } from './judge-price.ts'
import { rememberAllowances } from '../read-allowance.ts'
import type { Routed } from './route-swap.ts'
import { isOutputFresh, type SwapRequest } from './swap-request.ts'

/** Details of the quote that its refresh needs. */
export const swapDetails = z.object({
  tokenOut: hexText,
  /** The same for all refreshes of one review. */
  planId: z.uuid(),
  requestedSlippageBps: z.int().nullable(),
  acknowledgedPriceImpact: z.number().nullable().default(null),
  /** Basis points; as agreed when the quote was signed. */
  slippageBps: z.int().default(0),
  /** The output may change until the swap is mined. */
  hasSlippage: z.boolean().default(false),
  /** The service built the calls itself. */
  callsAreOurs: z.boolean().default(false),
  /** The recipient was issued for this output: no other quote may pay to it (an index of the database). */
  isOutputFresh: z.boolean().default(false),
})
/** Details that a quote of a swap stores. */
export type SwapDetails = z.output<typeof swapDetails>

/** A swap with its parties. */
export interface PlannedSwap {
  decimals?: number | undefined
  recipient: Recipient
  funders: FunderFilter
  details: Omit<SwapDetails, 'slippageBps' | 'hasSlippage' | 'callsAreOurs'>
}

/** Returns the parties of a requested swap, and the details that its quote starts with. */
export const partiesOf = (request: SwapRequest, tokenOut: Address, recipient: Recipient): PlannedSwap => ({
  decimals: request.decimals,
  recipient,
  funders: fundersOf(request),
  details: {
    tokenOut,
    planId: randomUUID(),
    requestedSlippageBps: request.requestedSlippageBps ?? null,
    acknowledgedPriceImpact: request.acknowledgedPriceImpact ?? null,
    isOutputFresh: isOutputFresh(request),
  },
})

/**
 * Plans a swap on one chain. If the price may change, one address pays, and the calls contain the recipient's minimum.
 * The plan then learns the output from a run of the calls.
 * @throws ServiceError TOKEN_METADATA_UNAVAILABLE; as judgePrice does.
 */
export async function planSwap(context: KindContext, routed: Routed, swap: PlannedSwap): Promise<QuotePlan> {
  const { chainId } = context.sending
  const { ask, route, output } = routed
  const ids = [tokenIdOf(chainId, ask.tokenIn), tokenIdOf(chainId, ask.tokenOut)] as const
  const [given, got, worth] = await Promise.all([
    readToken(context, ids[0]),
    output ?? readToken(context, ids[1]),
    context.prices.read(ids),
  ])
  const usdOf = (token: Token) => worth.get(keyOf(token))?.usd ?? null
  const judge = (delivered: bigint): JudgedPrice =>
    route.hasSlippage
      ? judgePrice(
          { ...route, quoted: route.expected, delivered },
          {
            given: { token: given, amount: ask.amountIn, usd: usdOf(given) },
            got: { token: got, amount: delivered, usd: usdOf(got) },
          },
          swap.details satisfies PriceTerms,
        )
      : { expected: delivered, minimum: delivered, slippageBps: 0, priceImpact: 0 }
  const planFor = (price: JudgedPrice, most: bigint | null = null) =>
    planAtPrice(context, routed, swap, { price, output: got, most })
  // The first plan demands the venue's output to the unit; if a run delivers less or more, the output is learnt from
  // it.
  const plan = planFor(judge(route.expected), route.expected)
  if (!route.hasSlippage) return plan

  let delivered: bigint | null = null
  const permissive = planFor({ expected: route.expected, minimum: 1n, slippageBps: 0, priceImpact: null })
  const trial: QuotePlan = {
    ...permissive,
    checkRun(run, parts) {
      delivered = deliveredTo(run, outputPayeeOf(parts), ask.tokenOut)
    },
  }
  return {
    ...plan,
    async otherwise() {
      const other = await route.otherwise?.()
      return other ? planSwap(context, { ask, route: other, output: got }, swap) : null
    },
    learning: {
      trial,
      settle() {
        if (!delivered) throw simulationFailed('The swap would give nothing')
        return planFor(judge(delivered))
      },
    },
  }
}

/** @param of `most`: exact output that must be delivered; null to accept anything from the minimum on. */
function planAtPrice(
  context: KindContext,
  routed: Routed,
  { decimals, recipient, funders, details }: PlannedSwap,
  { price, output, most }: { price: JudgedPrice; output: Token; most: bigint | null },
): QuotePlan {
  const { ask, route } = routed
  const { tokenIn, tokenOut } = ask
  const { planId, requestedSlippageBps } = details
  const inProportion = (whole: bigint, amount: bigint) => expectedOf({ expected: whole }, ask, amount)
  return {
    // The output's address pays nothing; otherwise its net gain would be smaller.
    ...spendBySwapping(context, routed, { ...funders, except: recipient.address }, price.minimum),
    amount: ask.amountIn,
    decimals,
    recipient,
    // Calls that a venue built for one recipient prove nothing about calls for another.
    paidIn: route.tellsRecipient ? 'every' : paidRunsOf(recipient),
    details: {
      ...details,
      slippageBps: price.slippageBps,
      hasSlippage: route.hasSlippage,
      callsAreOurs: route.callsAreOurs,
    } satisfies SwapDetails,
    effects: swapEffects(route, ask),
    isVolatile: route.hasSlippage,
    checkRun(run, parts) {
      const paid = parts.reduce((sum, part) => sum + part.amount, 0n)
      checkSwapRun(run, parts, {
        tokenIn,
        tokenOut,
        least: inProportion(most ?? price.minimum, paid),
        most: most && inProportion(most, paid),
      })
    },
    outputOf: (paid) => ({
      token: output,
      expected: inProportion(price.expected, paid),
      minimum: inProportion(price.minimum, paid),
    }),
    members: {
      routing: route.routing,
      slippageMode: !route.hasSlippage ? null : requestedSlippageBps === null ? 'auto' : 'custom',
      slippageBps: price.slippageBps,
      requestedSlippageBps,
      bridgeProvider: null,
      recoveryRecipient: null,
      priceImpact: price.priceImpact,
      estimatedFillTimeMs: null,
      fillDeadline: null,
      planId,
    },
  }
}

/**
 * Returns the effects to watch. Foreign calls may do anything; our own calls move only the two tokens of the parties,
 * or are refused.
 */
export const swapEffects = (
  { callsAreOurs }: { callsAreOurs: boolean },
  { tokenIn, tokenOut }: { tokenIn: Address; tokenOut: Address },
): RunEffects =>
  callsAreOurs ? { told: 'parties', tokens: [tokenIn, tokenOut, zeroAddress] } : { told: 'everything' }

/** Plans the spending of a swap of everything, for any output. */
export const planMaxSwap = (context: KindContext, routed: Routed, funders: FunderFilter): MaxPlan => ({
  ...spendBySwapping(context, routed, funders, 1n),
  async otherwise() {
    const other = await routed.route.otherwise?.()
    return other ? planMaxSwap(context, { ...routed, route: other }, funders) : null
  },
})

/** Seconds that a venue has to execute the signed calls; the intent itself expires sooner. */
const EXECUTION_SECONDS = 2 * 86_400

/**
 * Plans the spending of a swap.
 * @param minimum Least output for the whole amount, in the smallest unit.
 */
function spendBySwapping(
  { sending }: KindContext,
  { ask, route }: Routed,
  funders: FunderFilter,
  minimum: bigint,
): SpendingPlan {
  const allowanceOf = rememberAllowances(sending.chain.client, { token: ask.tokenIn, spender: route.spender })
  const calls = async ({ payer, recipient, amount }: PaidPart, least: bigint) =>
    route.calls({
      payer,
      recipient,
      amountIn: amount,
      minimum: least,
      deadline: BigInt(roundUpTo(HOUR, Math.floor(Date.now() / 1_000) + EXECUTION_SECONDS)),
      allowance: await allowanceOf(payer),
    })
  return {
    token: ask.tokenIn,
    // Several swaps through one pool would each be quoted at the price of the first.
    funding: { from: 'holdings', funders, mayJoin: !route.hasSlippage },
    isNativeAtPar: route.isNativeAtPar,
    gasKey: route.gasKey,
    ...(route.hasSlippage && { trial: { amount: ask.amountIn, calls: (part: PaidPart) => calls(part, 1n) } }),
    foresee: (payer) => void allowanceOf(payer).catch(() => undefined),
    calls: (part) => calls(part, expectedOf({ expected: minimum }, ask, part.amount)),
  }
}
