import {
  quoteNotFound,
  quoteNotRefreshable,
  insufficientBalance,
  insufficientFundsForFees,
  quoteLockConflict,
} from '../errors.ts'
import type { KeepAnswer } from '../../keep-answer.ts'
import type { MaxSpendRequest, SpendRequest } from '../kinds/spend-request.ts'
import type { MaxSpendable, Quote, RelayStatus, SpendSubmission, SubmitAnswer } from '../transact.ts'
import { quoteStep } from '../quotes/quote-machine.ts'
import {
  findSpend,
  spendStateOf,
  executionOf,
  explainSpend,
  spendStatusOf,
  listEnds,
  readSpendFacts,
} from './spend-progress.ts'
import { quoteSpend } from './quote-spend.ts'
import type { SpendingParts } from './spending-parts.ts'
import { submitSpend } from './submit-spend.ts'
import type { Address } from 'viem'
import { withdrawalAmountTooSmall } from '../../pool/relay/errors.ts'
import { findFreshPool, planNotes, readSpendTerms } from './plan-notes.ts'
import { describeRelayFee, sumParts } from './write-spend.ts'

/** Spends from pools that the wallet reports. */
export type PoolSpending = ReturnType<typeof createPoolSpending>

/**
 * Creates reported spending, which locks a wallet's notes and shows its spends. The service sends nothing: the wallet
 * requests each withdrawal from the public relayer, without its token. The recipient is checked and not stored. A spend
 * is never refreshed.
 */
export function createPoolSpending(parts: SpendingParts) {
  const { books, board } = parts
  async function relayStatus(accountId: string, quoteId: string): Promise<RelayStatus | null> {
    const found = await findSpend(books, accountId, quoteId)
    if (!found) return null
    const { pool, spend } = found
    const facts = await readSpendFacts(parts, pool, [spend])
    const notes = listEnds(spend, facts)
    const status = spendStatusOf(spend, facts)
    // Of several withdrawals the last one is shown, only to choose one.
    const last = notes.toSorted((one, other) => Number(one.spentAt) - Number(other.spentAt)).at(-1)
    return {
      quoteId,
      status,
      txHash: last?.txHash ?? null,
      confirmedTxHash: status === 'confirmed' ? (last?.txHash ?? null) : null,
      error: explainSpend(executionOf(spend, facts), notes.length, spend.parts.length),
      updatedAt: last?.spentAt ?? new Date(),
      bridge: null,
      offRamp: null,
    }
  }

  return {
    create: (accountId: string, request: SpendRequest, keepAnswer?: KeepAnswer<Quote>) =>
      quoteSpend(parts, accountId, request, keepAnswer),
    maxSpendable: (accountId: string, request: MaxSpendRequest) => priceMaxSpend(parts, accountId, request),
    /** Returns null for an unknown quote. */
    async refresh(accountId: string, quoteId: string): Promise<null> {
      if (!(await findSpend(books, accountId, quoteId))) return null
      throw quoteNotRefreshable('A spend from a pool is not refreshed: unlock it, and ask for a new one')
    },
    /**
     * Stores the hashes that identify the withdrawals on the chain. Repeating the same submission is no error.
     * @throws ServiceError `not-found`; `bad-request` QUOTE_EXPIRED, QUOTE_MISMATCH, NOTE_SPENT.
     */
    async submit(accountId: string, submission: SpendSubmission): Promise<SubmitAnswer> {
      const { quoteId } = submission
      await submitSpend(parts, accountId, submission)
      board.tell([quoteId])
      return { quoteId, txHash: null, status: 'told' }
    },
    relayStatus,
    /** Returns false for an unknown quote. */
    async unlock(accountId: string, quoteId: string): Promise<boolean> {
      const found = await findSpend(books, accountId, quoteId)
      if (!found) return false
      await books.change(accountId, found.pool, async ({ content }) => {
        const spend = content.spends.find(({ id }) => id === quoteId)
        if (!spend) throw quoteNotFound()
        if (quoteStep(spendStateOf(spend), 'unlock').effect !== 'release-funds')
          return { content: null, result: null }
        const spends = content.spends.map((one) => (one.id === quoteId ? { ...one, isUnlocked: true } : one))
        return { content: { ...content, spends }, result: null }
      })
      board.tell([quoteId])
      return true
    },
  }
}

/** Errors that mean that nothing can be spent now. */
const NOTHING = [insufficientBalance, insufficientFundsForFees, quoteLockConflict, withdrawalAmountTooSmall]

/**
 * Returns the most that one spend from a pool can pay to any recipient, after relay fees. Locks nothing.
 * @throws ServiceError as {@link findFreshPool} and {@link readSpendTerms} do.
 */
async function priceMaxSpend(
  parts: SpendingParts,
  accountId: string,
  request: { chainId: number; token: Address },
): Promise<MaxSpendable> {
  const { pool } = await findFreshPool(parts, accountId, request)
  const { terms, token, tokenUsd } = await readSpendTerms(parts, pool)
  const planned = await planNotes(parts, accountId, pool, { amount: 'max', token, terms }).catch(
    (error: unknown) => {
      if (NOTHING.some((shortage) => shortage.matches(error))) return []
      throw error
    },
  )
  const { receives, withdraws, fee } = sumParts(planned)
  const fees = describeRelayFee(token, tokenUsd, fee)
  return {
    maxAmount: receives,
    grossAmount: withdraws,
    fees,
    feeEstimateUsd: fees.totalUsd,
    spendableCount: planned.length,
    protocolFeeBps: 0,
  }
}
