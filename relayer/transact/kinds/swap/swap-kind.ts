import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { findSpareOutput, markOutputTold } from '../../../../db/transact/spare-outputs.ts'
import { bookReferralEarning } from '../../../account/referrals/book-referral-earning.ts'
import { badRequest } from '../../../errors.ts'
import { quoteRefreshRequired, swapUnavailable } from '../../errors.ts'
import { checkRecipient } from '../../safety/check-recipient.ts'
import type { Recipient } from '../../safety/recipient.ts'
import { isNativeAtPar } from '../../venues/swap/wrapped-native/wrapped-native.ts'
import type { KindContext, QuoteKind, SignedQuote } from '../quote-kind.ts'
import { checkSwapRun, deliveredTo } from './check-swap-run.ts'
import { planSwap, spendBySwapping, swapDetails } from './plan-swap.ts'
import { findLargestFree, routeSwap, type Routed } from './route-swap.ts'
import type { MaxSwapRequest, SwapRequest } from './swap-request.ts'

/** A quote of a price that is older is not submitted: it would be worth an attacker's while. Milliseconds. */
const OLDEST_PRICE_MS = 60_000

/** An exchange of one token for another; fees come on top of what is exchanged. */
export const swapKind: QuoteKind<SwapRequest, MaxSwapRequest> = {
  async plan(context, request) {
    if (request.amountIn <= 0n) throw badRequest('amountIn: expected more than zero')
    demandSameChain(context, request.tokenOutChainId)
    const routed = await routeSwap(context, request)
    return planSwap(context, routed, {
      decimals: request.decimals,
      recipient: await chooseRecipient(context, request, routed),
      funders: { spendableAddresses: request.spendableAddresses, singleAddress: request.singleAddress },
      details: {
        tokenOut: routed.ask.tokenOut,
        planId: randomUUID(),
        requestedSlippageBps: request.requestedSlippageBps ?? null,
        acknowledgedPriceImpact: request.acknowledgedPriceImpact ?? null,
        isOutputFresh: request.destination === undefined,
      },
    })
  },
  async planAgain(context, { token, amount, recipient, details: kept }) {
    const details = swapDetails.parse(kept)
    if (amount === 'max') throw new Error('a swap was kept without its amount')
    const asked = { tokenIn: token, tokenOut: details.tokenOut, amountIn: amount }
    const routed = await routeSwap(context, asked)
    if (details.isOutputFresh) await keepFromOthers(context, recipient.address, routed)
    return planSwap(context, routed, { decimals: undefined, recipient, funders: {}, details })
  },
  async planMax(context, { token, tokenOut, tokenOutChainId, spendableAddresses }) {
    demandSameChain(context, tokenOutChainId)
    const amountIn = await findLargestFree(context, token, spendableAddresses)
    const routed = await routeSwap(context, { tokenIn: token, tokenOut, amountIn })
    return spendBySwapping(context, routed, { spendableAddresses }, 1n)
  },
  checkSubmission(run, quote, parts) {
    const { token, recipient } = quote
    const { token: tokenOut, expected, minimum, hasSlippage, slippageBps } = outputOf(quote)
    if (hasSlippage) {
      if (quote.ageMs > OLDEST_PRICE_MS)
        throw quoteRefreshRequired('The price of this swap is more than a minute old: refresh the quote')
      const most = expected + (expected * BigInt(slippageBps)) / 10_000n
      // A minimum far below the price is what whoever orders transactions could take.
      const got = deliveredTo(run, recipient, tokenOut)
      if (got < minimum || got > most)
        throw quoteRefreshRequired('The price of this swap has moved: refresh the quote')
    }
    checkSwapRun(run, parts, { tokenIn: token, tokenOut, recipient, least: minimum, most: null })
  },
  // Pools call their tokens, and anybody can make a token and a pool of it.
  runsForeignCode: (quote) => outputOf(quote).hasSlippage,
  explainFailure: (quote) =>
    outputOf(quote).hasSlippage
      ? quoteRefreshRequired('At the present price this swap would fail: refresh the quote')
      : null,
  isNativeAtPar: (chain, { token, output }) =>
    output !== null && isNativeAtPar(chain, { tokenIn: token, tokenOut: output.token }),
  submitted: async () => {},
  async confirmed(transaction, quote) {
    await bookReferralEarning(transaction, quote)
  },
  activity: () => ({ kind: 'SWAP', isExchange: true }),
}

function outputOf({ output, details }: SignedQuote) {
  if (!output) throw new Error('a swap was kept without what comes out of it')
  const { slippageBps, hasSlippage } = swapDetails.parse(details)
  return { ...output, slippageBps, hasSlippage }
}

/** @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE where the output is wanted on another chain. */
function demandSameChain({ sending }: KindContext, tokenOutChainId: number | undefined): void {
  if (tokenOutChainId !== undefined && tokenOutChainId !== sending.chainId) throw swapUnavailable()
}

/** Whom the output goes to: the destination, once nothing speaks against it, else an address that nobody was paid at. */
async function chooseRecipient(
  context: KindContext,
  { destination, acknowledgedMatch, acknowledgedContract }: SwapRequest,
  { ask, route }: Routed,
): Promise<Recipient> {
  const { accountId, sending, database, addresses } = context
  if (destination !== undefined)
    return checkRecipient(context, sending.chain.client, accountId, {
      chainId: sending.chainId,
      token: ask.tokenOut,
      destination,
      acknowledgedMatch,
      acknowledgedContract,
    })
  const spare = await findSpareOutput(database, accountId)
  const address = spare ?? (await addresses.issue(accountId, 'fund-movement')).address
  await keepFromOthers(context, address, { route })
  return { address, name: null, owned: true, poisoning: null }
}

/** A venue that is told of an address would see that two quotes with it are of one account. */
async function keepFromOthers(
  { database, accountId }: KindContext,
  address: Address,
  { route }: Pick<Routed, 'route'>,
): Promise<void> {
  if (route.tellsRecipient) await markOutputTold(database, accountId, address)
}
