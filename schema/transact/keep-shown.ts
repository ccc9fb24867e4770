import type { KeepAnswer } from '../../relayer/keep-answer.ts'
import type { Quote } from '../../relayer/transact/transact.ts'
import { showQuote } from './show-quote.ts'

/** Stores a quote in its shown form, in the transaction that locks its funds. */
export const keepShown = (
  keepAnswer: KeepAnswer<ReturnType<typeof showQuote>> | undefined,
): KeepAnswer<Quote> | undefined =>
  keepAnswer && ((transaction, quote) => keepAnswer(transaction, showQuote(quote)))
