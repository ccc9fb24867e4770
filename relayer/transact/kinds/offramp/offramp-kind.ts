import type { Chains } from '../../../chain/nodes/chain.ts'
import { countCashOuts, insertCashOrder } from '../../../../db/transact/cash-orders.ts'
import { readToldCashOuts } from '../../../../db/transact/cash-payees.ts'
import { wasFundedPrivately } from '../../../../db/transact/funding-candidates.ts'
import { serverBusy } from '../../../errors.ts'
import { quoteRefreshRequired } from '../../errors.ts'
import { cashOutVenueOf, findCashOutVenue } from '../../venues/cash-out/cash-out-venues.ts'
import { amountOf, type AmountRequest } from '../amount-request.ts'
import { checkVenueDeposit } from '../check-parties.ts'
import { fundersOf, type RequestedFunders } from '../quote-plan.ts'
import {
  usualKind,
  type QuoteKind,
  type SignedQuote,
  type MaxRequestBase,
  type ChainRequest,
} from '../quote-kind.ts'
import { bridgeSale, spendByCrossing } from './cross-to-escrow.ts'
import { demandMethod, demandSalePlace, type SalePlace } from './find-sale-place.ts'
import { demandOpened, saleEffects, offrampDetails, planOfframp } from './plan-offramp.ts'
import { createRegistration, nobodysDetails, openPayee } from './register-once.ts'
import { spendBySelling, type SaleTerms } from './spend-by-selling.ts'
import { findLargestFree } from '../find-largest-free.ts'
import { cashOutUnavailable } from '../../venues/cash-out/errors.ts'
import type { CommonQueryMethods } from 'slonik'
import { insertBridgeOrder } from '../../../../db/transact/bridge-orders.ts'
import type { Call } from '../../intents/intent.ts'
import { findBridgeDeposit, readBridgeMessage, type FoundDeposit } from '../../venues/bridge/bridge-venues.ts'
import type { OpenedSale } from '../../venues/cash-out/cash-out-venue.ts'

/** Longest age of a bridge's quoted fee, in milliseconds. */
const OLDEST_FEE_MS = 600_000

/** A sale of tokens for money on a bank account or payment app, through an escrow on this chain or another. */
export const offrampKind: QuoteKind<OfframpRequest, MaxOfframpRequest> = {
  ...usualKind,
  async plan(context, request) {
    const { payee, decimals } = request
    const amount = amountOf(request)
    const place = demandSalePlace(context, request)
    demandMethod(place.offer, request)
    return planOfframp(context, {
      place,
      terms: await readTerms(place, request),
      payee: createRegistration(context, place, { paymentMethod: request.paymentMethod, payee }),
      amount,
      decimals,
      funders: fundersOf(request),
    })
  },
  async planAgain(context, { quoteId, token, amount, details }) {
    const { escrowChainId, paymentMethod, currency } = offrampDetails.parse(details)
    const place = demandSalePlace(context, { token, escrowChainId })
    demandMethod(place.offer, { paymentMethod, currency })
    const payee = await openPayee(context, quoteId)
    return planOfframp(context, {
      place,
      terms: await readTerms(place, { paymentMethod, currency }),
      payee: createRegistration(context, place, { paymentMethod, payee }),
      amount,
      funders: {},
    })
  },
  async planMax(context, { token, escrowChainId, spendableAddresses }) {
    const place = demandSalePlace(context, { token, escrowChainId })
    const funding = { funders: { spendableAddresses }, payeeOf: () => Promise.resolve(nobodysDetails()) }
    const terms = anyTerms(place)
    if (!place.bridge) return spendBySelling(context, place, terms, funding)
    const amount = await findLargestFree(context, token, spendableAddresses)
    const crossing = await bridgeSale(context, place, terms, amount)
    if (!crossing) throw new Error('the fees of the bridge were not read')
    return spendByCrossing(context, place, terms, crossing, funding)
  },
  submissionEffects(quote) {
    const { sale, bridged } = readSignedSale(quote)
    return saleEffects(quote.token, bridged ? bridged.spender : sale.escrow)
  },
  checkSubmission(run, quote, parts) {
    const { sale, calls, bridged } = readSignedSale(quote)
    if (bridged && quote.ageMs > OLDEST_FEE_MS)
      throw quoteRefreshRequired('The bridge’s fee was quoted too long ago: refresh the quote')
    checkVenueDeposit(run, parts, {
      ...(bridged
        ? { name: 'bridge', taker: bridged.spender, amount: bridged.deposit.inputAmount }
        : { name: 'escrow', taker: sale.escrow, amount: sale.amount }),
      isTold: run.watchedChangesComplete,
      tokenIn: quote.token,
      paidToken: quote.token,
    })
    if (bridged) return
    const venue = cashOutVenueOf(offrampDetails.parse(quote.details).provider)
    demandOpened({ venue, offer: sale }, run, { calls, depositor: sale.depositor })
  },
  recheck: demandStillSold,
  explainFailure: () => quoteRefreshRequired('The venue would refuse this deposit now: refresh the quote'),
  async submitted(transaction, quote) {
    const { depositor, payeeDetails } = readSignedSale(quote).sale
    // The account is locked. Two quotes for one payee may both precede a submission; the second submission sees the
    // first.
    const told = await readToldCashOuts(transaction, quote.id)
    if (told === 0 && (await countCashOuts(transaction, quote.accountId, payeeDetails)) > 0)
      throw quoteRefreshRequired('This payee was paid from another address since: refresh the quote')
    const funding = { chainId: quote.chain.config.chainId, address: depositor, token: quote.token }
    const fromIncognito = await wasFundedPrivately(transaction, funding)
    await writeOrder(transaction, quote, { fromIncognito })
  },
  activity: () => ({ kind: 'SEND', isExchange: false }),
}

async function readTerms(
  { venue, at }: SalePlace,
  { paymentMethod, currency }: { paymentMethod: string; currency: string },
): Promise<SaleTerms> {
  return { paymentMethod, currency, ...(await venue.readRate(at, currency)) }
}

/** Terms for measuring gas, which does not depend on price or method. */
function anyTerms({ offer }: SalePlace): SaleTerms {
  const [method] = offer.methods
  return {
    paymentMethod: method?.paymentMethod ?? '',
    currency: method?.currencies[0] ?? '',
    rate: 10n ** 18n,
    minimumRate: 10n ** 18n,
  }
}

/**
 * Checks the facts of a cash-out that no run shows: the venue is the signed one and still pays the payee. The rate has
 * not fallen below the minimum that the calldata demands, nor risen as far. The curator only learns a hash that the
 * transaction publishes anyway.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED when a fact changed; `unavailable` when the venue does not answer.
 */
async function demandStillSold(chains: Chains, quote: SignedQuote): Promise<void> {
  const { escrowChainId, escrow, currency, paymentMethod, rate } = offrampDetails.parse(quote.details)
  const at = chains.get(escrowChainId)
  const found = at && findCashOutVenue(at)
  if (!found || found.offer.escrow !== escrow)
    throw quoteRefreshRequired('The venue of this cash-out has changed: refresh the quote')
  const { payeeDetails, minimumRate } = readSignedSale(quote).sale
  const [now, isRegistered] = await Promise.all([
    found.venue.readRate(at, currency),
    found.venue.isRegistered(at, { paymentMethod, payeeDetails }),
  ]).catch((cause: unknown) => {
    if (!cashOutUnavailable.matches(cause)) throw cause
    throw serverBusy('The venue does not answer now; try again in a moment', { cause })
  })
  if (!isRegistered)
    throw quoteRefreshRequired('The venue does not pay this payee any more: refresh the quote')
  if (now.rate < minimumRate || now.rate > 2n * rate - minimumRate)
    throw quoteRefreshRequired('The rate of this cash-out has moved: refresh the quote')
}

/** Request to sell tokens for money: the amount is sold, or bridged to the escrow's chain to be sold. */
interface OfframpRequest extends ChainRequest, AmountRequest, RequestedFunders {
  kind: 'offramp'
  /** The venue's name of the method: `venmo`. */
  paymentMethod: string
  /** ISO 4217 code. */
  currency: string
  /** The payee's handle with the payment method. Null if nothing is signed: then no payee is disclosed. */
  payee: string | null
  /** The escrow's chain; the same chain unless given. */
  escrowChainId?: number | null | undefined
}

/** Request for the most of a token that a wallet could sell. */
interface MaxOfframpRequest extends MaxRequestBase {
  kind: 'offramp'
  escrowChainId?: number | null | undefined
}

/** A sale as the quote signed it. */
interface SignedSale {
  sale: OpenedSale
  /** The calls that open the sale: the depositor's, or those of a bridge's message. */
  calls: readonly Call[]
  /** The deposit with the bridge; null if the escrow is on the same chain. */
  bridged: FoundDeposit | null
}

/**
 * Reads the sale that a quote signed from its calldata.
 * @throws Error for a quote whose calls open no sale, or one of another depositor.
 */
function readSignedSale({ calls, chain, payers, details }: SignedQuote): SignedSale {
  const { provider, escrow, escrowChainId } = offrampDetails.parse(details)
  const [[own, ...others], [depositor]] = [calls, payers]
  if (!own || !depositor || others.length > 0)
    throw new Error('a stored cash-out does not have exactly one intent')
  const bridged = escrowChainId === chain.config.chainId ? null : findBridgeDeposit(chain, own)
  const message = bridged && readBridgeMessage(bridged.deposit)
  if (message && message.recipient !== depositor)
    throw new Error('the tokens of a stored cash-out would go to a third party')
  const opening = escrowChainId === chain.config.chainId ? own : message?.calls
  const sale = opening && cashOutVenueOf(provider).findSale(opening, escrow, depositor)
  if (!opening || !sale) throw new Error('the calls of a stored cash-out open no sale')
  return { sale, calls: opening, bridged }
}

/** Writes the order of a submitted cash-out, as its signed calldata has it, and the order of its bridge. */
async function writeOrder(
  transaction: CommonQueryMethods,
  quote: SignedQuote,
  { fromIncognito }: { fromIncognito: boolean },
): Promise<void> {
  const { sale, bridged } = readSignedSale(quote)
  const { paymentMethod, currency, escrowChainId, orchestrator, rate, estimatedFillMs } =
    offrampDetails.parse(quote.details)
  const of = { quoteId: quote.id, accountId: quote.accountId }
  const source = { sourceToken: quote.token, sourceAmount: quote.amount }
  await insertCashOrder(transaction, {
    ...of,
    ...source,
    originChainId: quote.chain.config.chainId,
    chainId: escrowChainId,
    escrow: sale.escrow,
    orchestrator,
    depositor: sale.depositor,
    token: sale.token,
    amount: sale.amount,
    paymentMethod,
    currency,
    payeeDetails: sale.payeeDetails,
    minRate: sale.minimumRate,
    rate,
    depositKey: sale.depositKey,
    fromIncognito,
  })
  if (!bridged) return
  await insertBridgeOrder(transaction, {
    ...of,
    ...source,
    deposit: bridged.deposit,
    outputRecipient: sale.depositor,
    outputToken: sale.token,
    expectedOutput: sale.amount,
    minimumOutput: sale.amount,
    estimatedFillMs,
  })
}
