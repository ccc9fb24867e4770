import { quoteNotFound } from './errors.ts'
import { isOfWallet } from './kinds/quote-kinds.ts'
import type { PoolSpending } from './pool-spending/pool-spending.ts'
import { createQuoteFollower, type QuoteBoard } from './submissions/follow-quote.ts'
import type { Quotes, SentQuotes, Submissions } from './transact.ts'

/** Joins the quotes that the service sends with those that wallets send, so that nothing above asks which one has a quote. */
export function uniteQuotes(
  sent: SentQuotes,
  submissions: Submissions,
  spending: PoolSpending,
  board: QuoteBoard,
): Quotes {
  const { signerPublicKey, attribution, read, describeRecipient, findAvatar } = sent
  const relayStatus: Quotes['relayStatus'] = async (accountId, quoteId) =>
    (await submissions.relayStatus(accountId, quoteId)) ?? spending.relayStatus(accountId, quoteId)
  return {
    signerPublicKey,
    attribution,
    read,
    describeRecipient,
    findAvatar,
    create: (accountId, request, keepAnswer) =>
      isOfWallet(request)
        ? spending.create(accountId, request, keepAnswer)
        : sent.create(accountId, request, keepAnswer),
    maxSpendable: (accountId, request) =>
      isOfWallet(request) ? spending.maxSpendable(accountId, request) : sent.maxSpendable(accountId, request),
    async refresh(accountId, quoteId, keepAnswer) {
      const quote =
        (await sent.refresh(accountId, quoteId, keepAnswer)) ?? (await spending.refresh(accountId, quoteId))
      if (!quote) throw quoteNotFound()
      return quote
    },
    async unlock(accountId, quoteId) {
      if (!(await sent.unlock(accountId, quoteId)) && !(await spending.unlock(accountId, quoteId)))
        throw quoteNotFound()
    },
    submit: (accountId, submission, from) =>
      'withdrawals' in submission
        ? spending.submit(accountId, submission)
        : submissions.submit(accountId, submission, from),
    relayStatus,
    follow: createQuoteFollower(board, relayStatus),
  }
}
