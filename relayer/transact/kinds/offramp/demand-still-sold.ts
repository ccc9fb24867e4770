import { serverBusy } from '../../../errors.ts'
import { quoteRefreshRequired } from '../../errors.ts'
import { findCashOutVenue } from '../../venues/cash-out/cash-out-venues.ts'
import { cashOutUnavailable } from '../../venues/cash-out/errors.ts'
import type { RecheckParts, SignedQuote } from '../quote-kind.ts'
import { offrampDetails } from './plan-offramp.ts'
import { readSignedSale } from './signed-sale.ts'

/**
 * Checks the facts of a cash-out that no run shows: the venue is the signed one and still pays the payee. The rate has
 * not fallen below the minimum that the calldata demands, nor risen as far. The curator only learns a hash that the
 * transaction publishes anyway.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED when a fact changed; `unavailable` when the venue does not answer.
 */
export async function demandStillSold({ chains }: RecheckParts, quote: SignedQuote): Promise<void> {
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
