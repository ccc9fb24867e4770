import { randomUUID } from 'node:crypto'
import { erc20Abi, type Address } from 'viem'
import { z } from 'zod'
import { findSpareOutput } from '../../../../db/transact/spare-outputs.ts'
import { bookReferralEarning } from '../../../account/referrals/book-referral-earning.ts'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { badRequest } from '../../../errors.ts'
import { readToken } from '../../read-token.ts'
import { swapUnavailable } from '../../errors.ts'
import { checkRecipient } from '../../safety/check-recipient.ts'
import type { Recipient } from '../../safety/recipient.ts'
import { expectedOf, type SwapAsk, type SwapRoute } from '../../venues/swap/swap-venue.ts'
import { findSwapRoute } from '../../venues/swap/swap-venues.ts'
import { isNativeAtPar } from '../../venues/swap/wrapped-native/wrapped-native.ts'
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
    if (request.amountIn <= 0n) throw badRequest('amountIn: expected more than zero')
    const routed = await routeOf(context, request)
    const { tokenOut } = routed.ask
    const details = {
      tokenOut,
      planId: randomUUID(),
      requestedSlippageBps: request.requestedSlippageBps ?? null,
      isOutputFresh: request.destination === undefined,
    }
    return planSwap(context, routed, {
      decimals: request.decimals,
      recipient: await chooseRecipient(context, request, tokenOut),
      funders: { spendableAddresses: request.spendableAddresses, singleAddress: request.singleAddress },
      details,
    })
  },
  async planAgain(context, { token, amount, recipient, details: kept }) {
    const details = swapDetails.parse(kept)
    if (amount === 'max') throw new Error('a swap was kept without its amount')
    const asked = { tokenIn: token, tokenOut: details.tokenOut, amountIn: amount }
    return planSwap(context, await routeOf(context, asked), {
      decimals: undefined,
      recipient,
      funders: {},
      details,
    })
  },
  async planMax(context, { token, tokenOut, tokenOutChainId, spendableAddresses }) {
    const asked = { tokenIn: token, tokenOut, tokenOutChainId, amountIn: 1n }
    return spendBySwapping(context, await routeOf(context, asked), { spendableAddresses })
  },
  checkSubmission(run, { token, recipient, output }, parts) {
    if (!output) throw new Error('a swap was kept without what comes out of it')
    checkSwapRun(run, parts, { tokenIn: token, tokenOut: output.token, recipient, minimum: output.amount })
  },
  isNativeAtPar: (chain, { token, output }) =>
    output !== null && isNativeAtPar(chain, { tokenIn: token, tokenOut: output.token }),
  submitted: async () => {},
  async confirmed(transaction, quote) {
    await bookReferralEarning(transaction, quote)
  },
  activity: () => ({ kind: 'SWAP', isExchange: true }),
}

interface AskedRoute {
  tokenIn: Address
  tokenOut: Address
  amountIn: bigint
  tokenOutChainId?: number | undefined
}

/** A route with what it was asked for. */
interface Routed {
  ask: SwapAsk
  route: SwapRoute
}

/** @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE where no venue exchanges these tokens; as the venues do. */
async function routeOf(
  { sending }: KindContext,
  { tokenOutChainId, amountIn, ...asked }: AskedRoute,
): Promise<Routed> {
  const tokenIn = tokenIdOf(sending.chainId, asked.tokenIn).address
  const tokenOut = tokenIdOf(sending.chainId, asked.tokenOut).address
  if (tokenIn === tokenOut) throw badRequest('tokenOut: expected another token than tokenIn')
  const isSameChain = tokenOutChainId === undefined || tokenOutChainId === sending.chainId
  const ask = { tokenIn, tokenOut, amountIn }
  const route = isSameChain ? await findSwapRoute(sending.chain, ask) : null
  if (route) return { ask, route }
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
  decimals: number | undefined
  recipient: Recipient
  funders: FunderFilter
  details: SwapDetails
}

async function planSwap(
  context: KindContext,
  { ask, route }: Routed,
  { decimals, recipient, funders, details }: PlannedSwap,
): Promise<QuotePlan> {
  const { tokenIn, tokenOut, amountIn } = ask
  const { planId, requestedSlippageBps } = details
  const output = await readToken(context, { chainId: context.sending.chainId, address: tokenOut })
  return {
    // The output's address pays nothing: what it gets would seem to be less.
    ...spendBySwapping(context, { ask, route }, { ...funders, except: recipient.address }),
    amount: amountIn,
    decimals,
    recipient,
    details,
    needsAllMovements: true,
    checkRun(run, parts) {
      const given = parts.reduce((sum, part) => sum + part.amount, 0n)
      const minimum = expectedOf(route, ask, given)
      checkSwapRun(run, parts, { tokenIn, tokenOut, recipient: recipient.address, minimum })
    },
    outputOf(given) {
      const expected = expectedOf(route, ask, given)
      return { token: output, expected, minimum: expected }
    },
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

/** Seconds that a venue has to execute what was signed; the intent itself expires sooner. */
const EXECUTION_SECONDS = 86_400

function spendBySwapping(
  { sending }: KindContext,
  { ask, route }: Routed,
  funders: FunderFilter,
): SpendingPlan {
  return {
    token: ask.tokenIn,
    funders,
    mayJoin: true,
    isNativeAtPar: route.isNativeAtPar,
    gasKey: route.gasKey,
    async calls({ payer, recipient, amount }) {
      const { client } = sending.chain
      const allowance =
        route.spender === null
          ? 0n
          : await client.readContract({
              address: ask.tokenIn,
              abi: erc20Abi,
              functionName: 'allowance',
              args: [payer, route.spender],
            })
      return route.calls({
        payer,
        recipient,
        amountIn: amount,
        minimum: expectedOf(route, ask, amount),
        deadline: BigInt(Math.floor(Date.now() / 1_000) + EXECUTION_SECONDS),
        allowance,
      })
    },
  }
}
