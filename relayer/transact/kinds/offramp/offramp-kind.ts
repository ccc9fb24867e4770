import { countCashOuts } from '../../../../db/transact/cash-orders.ts'
import { readToldCashOuts } from '../../../../db/transact/cash-payees.ts'
import { wasFundedPrivately } from '../../../../db/transact/read-funding.ts'
import { badRequest, serverBusy } from '../../../errors.ts'
import { quoteRefreshRequired } from '../../errors.ts'
import { cashOutVenueOf, findCashOutVenue } from '../../venues/cash-out/cash-out-venues.ts'
import { checkVenueDeposit } from '../check-venue-deposit.ts'
import { usualKind, type QuoteKind, type RecheckParts, type SignedQuote } from '../quote-kind.ts'
import { bridgeSale, spendByCrossing } from './cross-to-escrow.ts'
import { demandMethod, demandSalePlace, type SalePlace } from './find-sale-place.ts'
import type { MaxOfframpRequest, OfframpRequest } from './offramp-request.ts'
import { demandOpened, saleEffects, offrampDetails, planOfframp } from './plan-offramp.ts'
import { createRegistration, nobodysDetails } from './register-once.ts'
import { openPayee } from './seal-payee.ts'
import { readSignedSale, writeOrder } from './signed-sale.ts'
import { spendBySelling, type SaleTerms } from './spend-by-selling.ts'
import { findLargestFree } from '../find-largest-free.ts'
import { cashOutUnavailable } from '../../venues/cash-out/errors.ts'

/** Longest age of a bridge's quoted fee, in milliseconds. */
const OLDEST_FEE_MS = 600_000

/** A sale of tokens for money on a bank account or payment app, through an escrow on this chain or another. */
export const offrampKind: QuoteKind<OfframpRequest, MaxOfframpRequest> = {
  ...usualKind,
  async plan(context, request) {
    const { amount, maxSend, payee, decimals, spendableAddresses, singleAddress } = request
    if (!maxSend && amount <= 0n) throw badRequest('amount: expected more than zero')
    const place = demandSalePlace(context, request)
    demandMethod(place.offer, request)
    return planOfframp(context, {
      place,
      terms: await readTerms(place, request),
      payee: createRegistration(context, place, { paymentMethod: request.paymentMethod, payee }),
      amount: maxSend ? 'max' : amount,
      decimals,
      funders: { spendableAddresses, singleAddress },
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
      decimals: undefined,
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
    if (!crossing) throw new Error('a bridge was found and not asked')
    return spendByCrossing(context, place, terms, crossing, funding)
  },
  submissionEffects(quote) {
    const { sale, bridged } = readSignedSale(quote)
    return saleEffects(quote.token, bridged ? bridged.spender : sale.escrow)
  },
  checkSubmission(run, quote, parts) {
    const { sale, calls, bridged } = readSignedSale(quote)
    if (bridged && quote.ageMs > OLDEST_FEE_MS)
      throw quoteRefreshRequired('What the bridge asks was quoted too long ago: refresh the quote')
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
  explainFailure: () => quoteRefreshRequired('The venue would not take this deposit now: refresh the quote'),
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
  { paymentMethod, currency }: Pick<SaleTerms, 'paymentMethod' | 'currency'>,
): Promise<SaleTerms> {
  return { paymentMethod, currency, ...(await venue.readRate(at, currency)) }
}

/** Terms for measuring gas, which does not depend on price or method. */
function anyTerms({ offer }: Pick<SalePlace, 'offer'>): SaleTerms {
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
async function demandStillSold({ chains }: RecheckParts, quote: SignedQuote): Promise<void> {
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
    throw serverBusy('The venue cannot be asked now; try again in a moment', { cause })
  })
  if (!isRegistered)
    throw quoteRefreshRequired('The venue does not pay this payee any more: refresh the quote')
  if (now.rate < minimumRate || now.rate > 2n * rate - minimumRate)
    throw quoteRefreshRequired('The rate of this cash-out has moved: refresh the quote')
}
