import type { Address } from 'viem'
import type { SubmittableQuote } from '../../../db/transact/intents-submit.ts'
import { quoteExpired } from './errors.ts'

/** A quote that can still be submitted. */
export type OpenQuote = SubmittableQuote & { recipient: Address }

/**
 * Returns the quote if it is still open.
 * @throws ServiceError `bad-request` QUOTE_EXPIRED.
 */
export function demandOpen(quote: SubmittableQuote): OpenQuote {
  const { status, expiresAt, recipient } = quote
  if (status === 'replaced')
    throw quoteExpired('This quote was refreshed: submit the one that took its place')
  if (status === 'unlocked') throw quoteExpired('This quote was unlocked')
  if (status !== 'locked' || recipient === null || expiresAt.getTime() <= Date.now())
    throw quoteExpired('This quote has run out')
  return { ...quote, recipient }
}

/** Returns the end of an intent. Without an expiry anybody could execute a copy for ever, so no quote has one. */
export function expiryOf(expiry: bigint, quote: SubmittableQuote): Date {
  return expiry > 0n ? new Date(Number(expiry) * 1_000) : quote.expiresAt
}
