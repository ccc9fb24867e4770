import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { z } from 'zod'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import type { Call } from '../../intents/intent.ts'
import { readToken } from '../../read-token.ts'
import type { BridgeDeposit } from '../../venues/bridge/bridge-deposit.ts'
import type { KindContext } from '../quote-kind.ts'
import {
  type FunderFilter,
  type PaidPart,
  type QuotePlan,
  type SpendingPlan,
  paidRunsOf,
} from '../quote-plan.ts'
import { readFillMs } from '../ask-bridge.ts'
import { checkVenueDeposit } from '../check-parties.ts'
import { chooseCrossChain } from './cross-chain-paths.ts'
import { swapDetails, type PlannedSwap } from './plan-swap.ts'
import { fillTargetOf, totalImpactOf, type CrossChainAsk, type CrossChainOffer } from './quote-cross-chain.ts'
import { rememberAllowances } from '../read-allowance.ts'

/** Details of the quote that its refresh and its order need. */
export const crossChainDetails = swapDetails.extend({
  destinationChainId: z.int(),
  estimatedFillMs: z.int(),
})
/** Details that a quote between two chains stores. */
export type CrossChainDetails = z.output<typeof crossChainDetails>

/**
 * Plans an exchange to another chain. One address pays, is the depositor, and gets the bridge's refund.
 * @throws ServiceError as chooseCrossChain does; `unavailable` TOKEN_METADATA_UNAVAILABLE.
 */
export async function planCrossChain(
  context: KindContext,
  ask: CrossChainAsk,
  { decimals, recipient, funders, details }: PlannedSwap,
): Promise<QuotePlan> {
  const { chainId } = ask.destination.config
  const [output, quote] = await Promise.all([
    readToken(context, tokenIdOf(chainId, ask.tokenOut)),
    chooseCrossChain(context, ask),
  ])
  const { expected, minimum, bridged, bridge, before, after } = quote
  const { inputToken } = bridge.route
  const estimatedFillMs = await readFillMs(context, bridge, bridged)
  const leg = after ?? before
  const hasSlippage = [before, after].some((one) => one?.route.hasSlippage)
  const slippageBps = leg?.slippageBps ?? 0
  return {
    ...spendByBridging(context, ask, quote, funders),
    amount: ask.amountIn,
    decimals,
    recipient,
    paidIn: paidRunsOf(recipient),
    details: {
      ...details,
      slippageBps,
      hasSlippage,
      destinationChainId: chainId,
      estimatedFillMs,
      callsAreOurs: false,
    } satisfies CrossChainDetails,
    effects: { told: 'everything' },
    isVolatile: hasSlippage,
    isShortLived: true,
    executeBefore: bridged.depositUntil,
    checkRun(run, parts) {
      checkVenueDeposit(run, parts, {
        name: 'bridge',
        isTold: run.assetChangesComplete,
        tokenIn: ask.tokenIn,
        paidToken: isCoinPaid(ask, quote) ? zeroAddress : inputToken,
        taker: bridge.route.spender,
        amount: quote.inputAmount,
      })
    },
    outputOf: () => ({ token: output, expected, minimum }),
    members: showCrossing(quote, { ...details, slippageBps, hasSlippage, estimatedFillMs }),
    membersOf: ([part]) => ({ recoveryRecipient: part?.address }),
  }
}

/** The members that a quote to another chain shows. */
const showCrossing = (
  quote: CrossChainOffer,
  details: Omit<CrossChainDetails, 'destinationChainId' | 'callsAreOurs'>,
) => ({
  routing: (quote.after ?? quote.before) ? 'CHAINED' : 'BRIDGE',
  slippageMode: !details.hasSlippage ? null : details.requestedSlippageBps === null ? 'auto' : 'custom',
  slippageBps: details.slippageBps,
  requestedSlippageBps: details.requestedSlippageBps,
  bridgeProvider: quote.bridge.venue.provider,
  priceImpact: totalImpactOf(quote),
  estimatedFillTimeMs: details.estimatedFillMs,
  fillDeadline: new Date(quote.bridged.fillDeadline * 1_000).toISOString(),
  planId: details.planId,
})

/** Returns the spending and its calls, for any recipient. */
export function spendByBridging(
  { sending }: KindContext,
  ask: CrossChainAsk,
  quote: CrossChainOffer,
  funders: FunderFilter,
): SpendingPlan {
  const { before, after, bridge } = quote
  const { inputToken, spender } = bridge.route
  const { wrappedNative } = sending.chain.config
  const { client } = sending.chain
  const venueAllowanceOf = rememberAllowances(client, {
    token: ask.tokenIn,
    spender: before?.route.spender ?? null,
  })
  const bridgeAllowanceOf = rememberAllowances(client, { token: inputToken, spender })
  const calls = async (part: PaidPart) => {
    const [toVenue, toBridge] = await Promise.all([
      venueAllowanceOf(part.payer),
      bridgeAllowanceOf(part.payer),
    ])
    return callsOf(ask, quote, part, { toVenue, toBridge })
  }
  return {
    token: ask.tokenIn,
    funding: { from: 'holdings', funders, mayJoin: false },
    isNativeAtPar: wrappedNative !== undefined && isAddressEqual(ask.tokenIn, wrappedNative),
    gasKey: [bridge.venue.provider, ask.tokenIn, before?.route.gasKey, inputToken, after?.route.gasKey].join(
      ' ',
    ),
    // An exchange of one unit has no output to deposit.
    trial: { amount: ask.amountIn, calls },
    calls,
  }
}

const isCoinPaid = ({ tokenIn }: CrossChainAsk, { before }: CrossChainOffer) =>
  before === null && tokenIn === zeroAddress

async function callsOf(
  ask: CrossChainAsk,
  quote: CrossChainOffer,
  { payer, recipient, amount }: PaidPart,
  allowance: { toVenue: bigint; toBridge: bigint },
): Promise<readonly Call[]> {
  const { before, bridge, bridged } = quote
  // Smaller amounts are run only to measure gas.
  const inputAmount = (quote.inputAmount * amount) / ask.amountIn
  const deposit = await depositOf(quote, { payer, recipient, inputAmount })
  const swap =
    (await before?.route.calls({
      payer,
      recipient: payer,
      amountIn: amount,
      minimum: inputAmount,
      deadline: BigInt(bridged.depositUntil),
      allowance: allowance.toVenue,
    })) ?? []
  const payment = { isCoin: isCoinPaid(ask, quote), allowance: allowance.toBridge }
  return [...swap, ...bridge.venue.depositCalls(bridge.route, deposit, payment)]
}

async function depositOf(
  quote: CrossChainOffer,
  { payer, recipient, inputAmount }: { payer: Address; recipient: Address; inputAmount: bigint },
): Promise<BridgeDeposit> {
  const { bridge, bridged } = quote
  const { origin, destination, inputToken, outputToken } = bridge.route
  const { outputAmount, quoteTimestamp, fillDeadline } = bridged
  return {
    provider: bridge.venue.provider,
    originChainId: origin.config.chainId,
    destinationChainId: destination.config.chainId,
    depositor: payer,
    exclusiveRelayer: zeroAddress,
    inputToken,
    outputToken,
    inputAmount,
    outputAmount,
    quoteTimestamp,
    fillDeadline,
    exclusivityDeadline: 0,
    ...(await fillTargetOf({ ...quote, outputAmount, fillDeadline }, recipient)),
  }
}
