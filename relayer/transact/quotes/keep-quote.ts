import type { Address } from 'viem'
import type { NewQuote, QuoteRow } from '../../../db/transact/quotes.ts'
import type { Reservation } from '../../../db/transact/reservations.ts'
import { USD_DECIMALS } from '../../market/prices/prices.ts'
import { valueInUsd } from '../../market/prices/usd.ts'
import { effectiveBps } from '../fees/service-fee.ts'
import type { Recipient } from '../safety/recipient.ts'
import { partsOf, type PricedQuote } from './price-quote.ts'
import type { QuoteDocument } from './quote-document.ts'

/** Converts a quote to its stored form. */
export function toStoredQuote(
  accountId: string,
  document: QuoteDocument,
  quote: PricedQuote,
  { kind, replaces }: { kind: string; replaces: string | null },
): NewQuote {
  const { plan, token, amount } = quote
  const output = plan.outputOf(
    amount,
    token,
    partsOf(quote).map((part) => part.amount),
  )
  return {
    id: document.quoteId,
    accountId,
    kind,
    chainId: quote.sending.chainId,
    token: token.address,
    amount,
    recipient: plan.recipient.address,
    terms: withoutProvenance(document),
    asked: {
      maxSend: plan.amount === 'max',
      recipient: { ...plan.recipient },
      details: { ...plan.details },
      isMixed: quote.isMixAgreed || quote.chosen.isMixed,
    },
    output:
      output.token.address === token.address && output.token.chainId === token.chainId
        ? null
        : { token: output.token.address, amount: output.expected, minimum: output.minimum },
    isVolatile: plan.isVolatile,
    tokenDecimals: token.decimals,
    feeBps: effectiveBps(quote.terms),
    feeReceiver: quote.sending.feeReceiver,
    networkFee: quote.networkFee,
    serviceFee: quote.serviceFee,
    serviceFeeUsdMicros: worthInMicros(quote),
    feeListed: quote.rate.isListed,
    feeWaived: quote.terms.waived,
    gasCost: quote.gasCost,
    expiresAt: quote.expiresAt,
    replaces,
  }
}

/**
 * Removes the origins: nothing reads them again, and the user's labels of addresses must not be stored longer than
 * needed.
 */
function withoutProvenance(document: QuoteDocument): Record<string, unknown> {
  const { provenanceLabelGroups: _, selectedFundingSources, ...kept } = document
  const sources = selectedFundingSources.map(({ provenance: __, ...source }) => source)
  return { ...kept, selectedFundingSources: sources }
}

function worthInMicros({ serviceFee, token, rate }: PricedQuote): bigint | null {
  if (rate.bookedUsd === null) return null
  return valueInUsd(serviceFee, token.decimals, { usd: rate.bookedUsd }) / 10n ** BigInt(USD_DECIMALS - 6)
}

/** Returns the recipient of a stored quote. */
export function recipientOf({
  asked,
  recipient,
}: Pick<QuoteRow, 'asked'> & { recipient: Address }): Recipient {
  const plain: Recipient = { address: recipient, name: null, owned: false, poisoning: null }
  return { ...plain, ...(asked.recipient as Partial<Recipient> | null) }
}

/** Lists the amounts that a quote takes from each address, fees included. */
export function listReserved({ sending, token, intents }: PricedQuote): Reservation[] {
  return intents.map(({ share: { input, toService } }) => ({
    chainId: sending.chainId,
    address: input.address,
    token: token.address,
    amount: input.taken,
    networkFee: input.cost,
    serviceFee: toService - input.cost,
  }))
}
