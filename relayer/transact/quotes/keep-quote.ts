import type { Address } from 'viem'
import type { NewQuote, QuoteRow } from '../../../db/transact/quotes.ts'
import type { Reservation } from '../../../db/transact/reservations.ts'
import { USD_DECIMALS } from '../../market/prices/prices.ts'
import { valueInUsd } from '../../market/prices/usd.ts'
import { effectiveBps } from '../fees/service-fee.ts'
import type { Recipient } from '../safety/recipient.ts'
import type { PricedSend } from './price-send.ts'
import type { QuoteTerms } from './write-terms.ts'

/** A quote as it is stored. */
export function toStoredQuote(
  accountId: string,
  terms: QuoteTerms,
  send: PricedSend,
  { recipient, maxSend, replaces }: { recipient: Recipient; maxSend: boolean; replaces: string | null },
): NewQuote {
  return {
    id: terms.quoteId,
    accountId,
    chainId: send.sending.chainId,
    token: send.token.address,
    amount: send.amount,
    recipient: recipient.address,
    terms,
    asked: { maxSend, recipient: { ...recipient } },
    output: null,
    tokenDecimals: send.token.decimals,
    feeBps: effectiveBps(send.terms),
    feeReceiver: send.sending.feeReceiver,
    networkFee: send.networkFee,
    serviceFee: send.serviceFee,
    serviceFeeUsdMicros: worthInMicros(send),
    feeWaived: send.terms.waived,
    gasCost: send.gasCost,
    expiresAt: send.expiresAt,
    replaces,
  }
}

function worthInMicros({ serviceFee, token, rate }: PricedSend): bigint | null {
  if (rate.tokenUsd === null) return null
  return valueInUsd(serviceFee, token.decimals, { usd: rate.tokenUsd }) / 10n ** BigInt(USD_DECIMALS - 6)
}

/** Whom a stored quote pays. */
export function recipientOf({
  asked,
  recipient,
}: Pick<QuoteRow, 'asked'> & { recipient: Address }): Recipient {
  const plain: Recipient = { address: recipient, name: null, owned: false, poisoning: null }
  return { ...plain, ...(asked.recipient as Partial<Recipient> | null) }
}

/** What a quote takes from each address, fees included. */
export function listReserved({ sending, token, intents }: PricedSend): Reservation[] {
  return intents.map(({ share: { input, toService } }) => ({
    chainId: sending.chainId,
    address: input.address,
    token: token.address,
    amount: input.taken,
    networkFee: input.cost,
    serviceFee: toService - input.cost,
  }))
}
