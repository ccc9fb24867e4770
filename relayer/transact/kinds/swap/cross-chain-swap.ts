import type { CommonQueryMethods } from 'slonik'
import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { insertBridgeOrder } from '../../../../db/transact/bridge-orders.ts'
import type { Chain } from '../../../chain/nodes/chain.ts'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { quoteRefreshRequired, swapUnavailable } from '../../errors.ts'
import type { SimulatedRun } from '../../intents/simulated-run.ts'
import { type Recipient, screenRecipient } from '../../safety/check-recipient.ts'
import { readAddressKind } from '../../screening/address-kind.ts'
import { findBridgeDeposit, type FoundDeposit } from '../../venues/bridge/bridge-venues.ts'
import type { KindContext, PlannedBefore, SignedQuote } from '../quote-kind.ts'
import type { FundedPart, QuotePlan, SpendingPlan } from '../quote-plan.ts'
import { checkVenueDeposit } from '../check-parties.ts'
import { chooseCrossChain } from './cross-chain-paths.ts'
import { chooseRecipient, type MaxSwapRequest, type SwapRequest } from './swap-request.ts'
import type { PriceTerms } from './judge-price.ts'
import { partiesOf } from './plan-swap.ts'
import { crossChainDetails, planCrossChain, spendByBridging } from './plan-cross-chain.ts'
import type { CrossChainAsk } from './quote-cross-chain.ts'
import { findLargestFree } from '../find-largest-free.ts'

/**
 * Highest age of a quote at submission, in milliseconds. An older price invites a block producer, an older bridge fee a
 * filler, to profit from it.
 */
const OLDEST = { price: 60_000, fee: 600_000 }

/** True if a swap's quote is between two chains. */
export const isCrossChain = (details: Readonly<Record<string, unknown>>): boolean =>
  details['destinationChainId'] !== undefined

/**
 * Plans a swap to another chain, where its recipient is checked.
 * @throws ServiceError SWAP_UNAVAILABLE; as checkRecipient, requireClear and planCrossChain do.
 */
export async function planBetween(
  context: KindContext,
  request: SwapRequest,
  tokenOutChainId: number,
): Promise<QuotePlan> {
  const destination = chainOf(context, tokenOutChainId)
  const tokenOut = tokenIdOf(tokenOutChainId, request.tokenOut).address
  const recipient = await chooseRecipient(context, destination, request, tokenOut)
  const planned = partiesOf(request, tokenOut, recipient)
  const asked = { ...request, tokenOut, recipient, terms: planned.details }
  return planCrossChain(context, await askOf(context, destination, asked), planned)
}

/** Plans the swap again, for a refresh. @throws ServiceError as planBetween does. */
export async function planBetweenAgain(
  context: KindContext,
  { token, amount, recipient, details: kept }: PlannedBefore,
): Promise<QuotePlan> {
  const details = crossChainDetails.parse(kept)
  if (amount === 'max') throw new Error('a stored swap has no amount')
  const destination = chainOf(context, details.destinationChainId)
  const asked = {
    tokenIn: token,
    tokenOut: details.tokenOut,
    amountIn: amount,
    recipient,
    terms: details,
  }
  return planCrossChain(context, await askOf(context, destination, asked), {
    recipient,
    funders: {},
    details,
  })
}

/**
 * Plans the spending of a swap to another chain, for the most that can be spent.
 * @throws ServiceError SWAP_UNAVAILABLE; as chooseCrossChain does for the largest amount at one address.
 */
export async function planMaxBetween(
  context: KindContext,
  { token, tokenOut, spendableAddresses }: MaxSwapRequest,
  tokenOutChainId: number,
): Promise<SpendingPlan> {
  const destination = chainOf(context, tokenOutChainId)
  const amountIn = await findLargestFree(context, token, spendableAddresses)
  const ask: CrossChainAsk = {
    tokenIn: tokenIdOf(context.sending.chainId, token).address,
    tokenOut: tokenIdOf(tokenOutChainId, tokenOut).address,
    amountIn,
    destination,
    isContract: false,
    terms: { requestedSlippageBps: null, acknowledgedPriceImpact: null },
  }
  return spendByBridging(context, ask, await chooseCrossChain(context, ask), { spendableAddresses })
}

/**
 * Checks a run of the signed intent against the deposit that its calldata makes.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED for a price or fee that is too old; as checkVenueDeposit does.
 */
export function checkBetween(run: SimulatedRun, quote: SignedQuote, parts: readonly FundedPart[]): void {
  const { hasSlippage } = crossChainDetails.parse(quote.details)
  if (quote.ageMs > (hasSlippage ? OLDEST.price : OLDEST.fee))
    throw quoteRefreshRequired('The bridge’s fee was quoted too long ago: refresh the quote')
  const { deposit, spender } = depositOf(quote)
  if (!parts.every(({ address }) => isAddressEqual(address, deposit.depositor)))
    throw new Error('the refund of a signed bridge deposit would go to a third party')
  const isCoin = quote.token === zeroAddress && isWrapped(quote, deposit.inputToken)
  checkVenueDeposit(run, parts, {
    name: 'bridge',
    isTold: run.assetChangesComplete,
    tokenIn: quote.token,
    paidToken: isCoin ? zeroAddress : deposit.inputToken,
    taker: spender,
    amount: deposit.inputAmount,
  })
}

/**
 * Writes the order of a submitted bridge deposit, as the signed calldata has it.
 * @throws Error for a quote whose calls make no deposit.
 */
export async function orderBetween(transaction: CommonQueryMethods, quote: SignedQuote): Promise<void> {
  const { output } = quote
  if (!output) throw new Error('a stored swap has no output')
  await insertBridgeOrder(transaction, {
    quoteId: quote.id,
    accountId: quote.accountId,
    deposit: depositOf(quote).deposit,
    outputRecipient: quote.recipient,
    outputToken: output.token,
    expectedOutput: output.expected,
    minimumOutput: output.minimum,
    sourceToken: quote.token,
    sourceAmount: quote.amount,
    estimatedFillMs: crossChainDetails.parse(quote.details).estimatedFillMs,
  })
}

/**
 * Reads the deposit that a quote signed from its calldata.
 * @throws Error for a quote whose calls make none.
 */
function depositOf({ calls, chain }: SignedQuote): FoundDeposit {
  const [own, ...others] = calls
  const found = own && others.length === 0 ? findBridgeDeposit(chain, own) : null
  if (!found) throw new Error('the calls of a stored bridge order make no deposit')
  return found
}

/** @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE for a chain that is not configured. */
function chainOf({ chains }: KindContext, chainId: number): Chain {
  const chain = chains.get(chainId)
  if (!chain) throw swapUnavailable()
  return chain
}

interface Asked {
  tokenIn: Address
  tokenOut: Address
  amountIn: bigint
  recipient: Recipient
  terms: PriceTerms
}

/** @throws ServiceError as isContract does. */
async function askOf(
  context: KindContext,
  destination: Chain,
  { tokenIn, tokenOut, amountIn, recipient, terms }: Asked,
): Promise<CrossChainAsk> {
  const { sending } = context
  return {
    tokenIn: tokenIdOf(sending.chainId, tokenIn).address,
    tokenOut: tokenIdOf(destination.config.chainId, tokenOut).address,
    amountIn,
    destination,
    isContract: await isContract(context, destination, recipient),
    terms,
  }
}

/**
 * True if a recipient is a contract; screens it first. No node is queried about an own address.
 * @throws ServiceError `legal` for a recipient that is refused there; `bad-gateway` when the chain does not answer.
 */
async function isContract(context: KindContext, { client, config }: Chain, recipient: Recipient) {
  const [kind] = await Promise.all([
    recipient.owned ? 'eoa' : readAddressKind(client, recipient.address),
    screenRecipient(context, config.chainId, recipient),
  ])
  return kind === 'contract'
}

const isWrapped = ({ chain }: SignedQuote, token: Address) =>
  chain.config.wrappedNative !== undefined && isAddressEqual(chain.config.wrappedNative, token)
