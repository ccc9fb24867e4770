import { findQuote } from '../../../db/transact/quotes.ts'
import { quoteNotFound } from '../errors.ts'
import { signQuote } from '../signing/sign-quote.ts'
import type { Quote } from '../transact.ts'
import type { QuoteParts } from './prepare-quote.ts'

/**
 * Reads an account's quote again, and signs it as it is stored: without the origins of its money.
 * @throws ServiceError `not-found` also for a quote that ended before it was submitted, of which nothing is stored.
 */
export async function readStoredQuote(
  { database, signer }: Pick<QuoteParts, 'database' | 'signer'>,
  accountId: string,
  quoteId: string,
): Promise<Quote> {
  const row = await findQuote(database, accountId, quoteId)
  if (!row || row.recipient === null) throw quoteNotFound()
  const terms = { ...row.terms, provenanceLabelGroups: [] }
  return { quoteId, terms, ...(await signQuote(signer, terms)) }
}
