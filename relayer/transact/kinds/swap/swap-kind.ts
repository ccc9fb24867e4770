import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { z } from 'zod'
import { findSpareOutput } from '../../../../db/transact/spare-outputs.ts'
import { bookReferralEarning } from '../../../account/referrals/book-referral-earning.ts'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { badRequest } from '../../../errors.ts'
import { readToken } from '../../read-token.ts'
import { swapUnavailable } from '../../errors.ts'
import { checkRecipient } from '../../safety/check-recipient.ts'
import type { Recipient } from '../../safety/recipient.ts'
import type { SwapRoute } from '../../venues/swap/swap-venue.ts'
import { findSwapRoute } from '../../venues/swap/swap-venues.ts'
import type { KindContext, QuoteKind } from '../quote-kind.ts'
import type { FunderFilter, QuotePlan, SpendingPlan } from '../quote-plan.ts'
import { checkSwapRun } from './check-swap-run.ts'
import type { MaxSwapRequest, SwapRequest } from './swap-request.ts'

/** What a refresh has to know, as the quote keeps it. */
const swapDetails = z.object({
  tokenOut: z.string().transform((text) => text as Address),
  /** The same through all refreshes of one review. */
  planId: z.uuid(),
  requestedSlippageBps: z.int().nullable(),
  /** The recipient was made for this output: no other quote may give to it (an index of the database). */
  isOutputFresh: z.boolean().default(false),
})
type SwapDetails = z.output<typeof swapDetails>

/** An exchange of one token for another on one chain; fees come on top of what is exchanged. */
export const swapKind: QuoteKind<SwapRequest, MaxSwapRequest> = {
  async plan(context, request) {
    const { tokenIn, route, tokenOut } = routeOf(context, request)
    if (request.amountIn <= 0n) throw badRequest('amountIn: expected more than zero')
    const details = {
      tokenOut,
      planId: randomUUID(),
      requestedSlippageBps: request.requestedSlippageBps ?? null,
      isOutputFresh: request.destination === undefined,
    }
    return planSwap(context, route, {
      tokenIn,
      amount: request.amountIn,
      decimals: request.decimals,
      recipient: await chooseRecipient(context, request, tokenOut),
      funders: { spendableAddresses: request.spendableAddresses, singleAddress: request.singleAddress },
      details,
    })
  },
  async planAgain(context, { token, amount, recipient, details: kept }) {
    const details = swapDetails.parse(kept)
    const { route } = routeOf(context, { tokenIn: token, tokenOut: details.tokenOut })
    return planSwap(context, route, {
      tokenIn: token,
      amount,
      decimals: undefined,
      recipient,
      funders: {},
      details,
    })
  },
  async planMax(context, { token, tokenOut, tokenOutChainId, spendableAddresses }) {
    const { tokenIn, route } = routeOf(context, { tokenIn: token, tokenOut, tokenOutChainId })
    return spendBySwapping(tokenIn, route, { spendableAddresses })
  },
  checkSubmission(run, { token, recipient, output }, parts) {
    if (!output) throw new Error('a swap was kept without what comes out of it')
    checkSwapRun(run, parts, { tokenIn: token, tokenOut: output.token, recipient, minimum: output.amount })
  },
  isNativeAtPar: (chain, { token, output }) =>
    output !== null &&
    (findSwapRoute(chain, { tokenIn: token, tokenOut: output.token })?.isNativeAtPar ?? false),
  submitted: async () => {},
  async confirmed(transaction, quote) {
    await bookReferralEarning(transaction, quote)
  },
  activity: () => ({ kind: 'SWAP', isExchange: true }),
}

interface AskedRoute {
  tokenIn: Address
  tokenOut: Address
  tokenOutChainId?: number | undefined
}

/** @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE where no venue exchanges these tokens. */
function routeOf({ sending }: KindContext, { tokenOutChainId, ...asked }: AskedRoute) {
  const tokenIn = tokenIdOf(sending.chainId, asked.tokenIn).address
  const tokenOut = tokenIdOf(sending.chainId, asked.tokenOut).address
  if (tokenIn === tokenOut) throw badRequest('tokenOut: expected another token than tokenIn')
  const isSameChain = tokenOutChainId === undefined || tokenOutChainId === sending.chainId
  const route = isSameChain ? findSwapRoute(sending.chain.config, { tokenIn, tokenOut }) : null
  if (route) return { tokenIn, tokenOut, route }
  throw swapUnavailable()
}

/** Whom the output goes to: the destination, once nothing speaks against it, else an address that nobody was paid at. */
async function chooseRecipient(
  context: KindContext,
  { destination, acknowledgedMatch, acknowledgedContract }: SwapRequest,
  token: Address,
): Promise<Recipient> {
  const { accountId, sending, database, addresses } = context
  if (destination !== undefined)
    return checkRecipient(context, sending.chain.client, accountId, {
      chainId: sending.chainId,
      token,
      destination,
      acknowledgedMatch,
      acknowledgedContract,
    })
  const spare = await findSpareOutput(database, accountId)
  const address = spare ?? (await addresses.issue(accountId, 'fund-movement')).address
  return { address, name: null, owned: true, poisoning: null }
}

interface PlannedSwap {
  tokenIn: Address
  amount: bigint | 'max'
  decimals: number | undefined
  recipient: Recipient
  funders: FunderFilter
  details: SwapDetails
}

async function planSwap(
  context: KindContext,
  route: SwapRoute,
  { tokenIn, amount, decimals, recipient, funders, details }: PlannedSwap,
): Promise<QuotePlan> {
  const { tokenOut, planId, requestedSlippageBps } = details
  const output = await readToken(context, { chainId: context.sending.chainId, address: tokenOut })
  return {
    // The output's address pays nothing: what it gets would seem to be less.
    ...spendBySwapping(tokenIn, route, { ...funders, except: recipient.address }),
    amount,
    decimals,
    recipient,
    details,
    needsAllMovements: true,
    checkRun(run, parts) {
      const given = parts.reduce((sum, part) => sum + part.amount, 0n)
      const { minimum } = route.outputOf(given)
      checkSwapRun(run, parts, { tokenIn, tokenOut, recipient: recipient.address, minimum })
    },
    outputOf: (given) => ({ token: output, ...route.outputOf(given) }),
    members: {
      routing: route.routing,
      slippageMode: null,
      slippageBps: 0,
      requestedSlippageBps,
      bridgeProvider: null,
      recoveryRecipient: null,
      priceImpact: 0,
      estimatedFillTimeMs: null,
      fillDeadline: null,
      planId,
    },
  }
}

const spendBySwapping = (token: Address, route: SwapRoute, funders: FunderFilter): SpendingPlan => ({
  token,
  funders,
  mayJoin: true,
  isNativeAtPar: route.isNativeAtPar,
  gasKey: `${route.routing} ${token}`,
  calls: route.calls,
})
