import type { Logger } from 'pino'
import type { DatabaseTransactionConnection, CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import {
  endIntents,
  lockBatch,
  mayBeKnown,
  requeueIntents,
  type BatchedIntent,
  type Deferral,
  type IntentEnd,
} from '../../../db/transact/intents-end.ts'
import type { Settlement } from '../../chain/broadcast/broadcast-engine.ts'
import { reasonOf, runContained } from '../../concurrency/run-contained.ts'
import { findOutcome, readOutcomes, type IntentOutcome } from '../intents/intent-outcome.ts'
import { bookBatchGas } from './book-batch-gas.ts'
import { VERDICTS } from './judge-intent.ts'
import type { Spending } from '../../../db/transact/reservations.ts'
import { endQuotes } from './end-quote.ts'
import { bookBatchGasEnd } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import { kindOf } from '../kinds/quote-kinds.ts'

/** Settings and parts for settling a batch. */
export interface BatchTerms {
  /** Present and past Orchestrators of the chain. */
  orchestrators: readonly Address[]
  retryAfterMs: number
  logger: Logger
}

/**
 * Books the results of a batch, in the transaction that settles it. Each intent ends as succeeded or failed by the
 * Orchestrator's event. An untouched intent waits for another batch, unless its nonce is used up; the judge decides
 * that later, because the chain cannot be queried here. The transaction's cost is booked, and the payment of each
 * intent as it ends. A quote that cannot be ended does not stop the others.
 */
export async function settleBatch(
  transaction: DatabaseTransactionConnection,
  outbound: { id: string; reference: string; chainId: number },
  settlement: Settlement,
  { orchestrators, retryAfterMs, logger }: BatchTerms,
): Promise<void> {
  const intents = await lockBatch(transaction, outbound.reference)
  const isMined = settlement.status !== 'abandoned'
  const outcomes =
    settlement.status === 'confirmed'
      ? readOutcomes(settlement.logs as Parameters<typeof readOutcomes>[0], orchestrators)
      : []
  const ends: (IntentEnd & { quoteId: string })[] = []
  const spendings: Spending[] = []
  const deferred: Deferral[] = []
  const { attempts } = VERDICTS['under-way'][isMined ? 'left-untouched' : 'not-sent']
  for (const intent of intents) {
    const { state, error } = findOutcome(outcomes, intent)
    if (!isMined || state === 'untouched') deferred.push({ id: intent.id, attempts, delayMs: retryAfterMs })
    else {
      ends.push(endOf(intent, settlement.hash, state, error))
      if (state === 'succeeded') spendings.push(spendingOf(intent, settlement.blockNumber))
    }
  }

  await bookUnpaidGas(transaction, outbound, isMined ? settlement.gasUsed : null, { intents, outcomes })
  const end = (quoteIds: readonly string[]) =>
    transaction.transaction(async (savepoint): Promise<readonly never[]> => {
      const ofQuotes = <Item extends { quoteId: string }>(items: readonly Item[]) =>
        items.filter(({ quoteId }) => quoteIds.includes(quoteId))
      await endIntents(savepoint, ofQuotes(ends))
      await endQuotes(savepoint, quoteIds, ofQuotes(spendings), logger)
      return []
    })
  // The intents of a quote that cannot be ended stay in the batch, and the judge tries that quote alone.
  await runContained(end, [...new Set(intents.map(({ quoteId }) => quoteId))], (error, quoteId) =>
    logger.error({ quoteId, reason: reasonOf(error) }, 'a quote could not be ended; tried again later'),
  )
  const { reference, chainId } = outbound
  if (isMined)
    await bookBatchGas(transaction, { id: reference, chainId, hash: settlement.hash, fee: settlement.fee })
  await requeueIntents(transaction, deferred, {
    txHash: isMined ? settlement.hash : null,
    exposed: isMined || (await mayBeKnown(transaction, outbound.id)),
  })
}

/** Returns the end of an intent that was executed in a final block. */
const endOf = (
  { id, quoteId }: BatchedIntent,
  txHash: string,
  state: 'succeeded' | 'burnt',
  error: string | null,
): IntentEnd & { quoteId: string } =>
  VERDICTS['under-way'][state].does === 'succeed'
    ? { id, quoteId, status: 'succeeded', txHash, error: null }
    : { id, quoteId, status: 'failed', txHash, error: error ?? 'burnt' }

const spendingOf = ({ quoteId, eoa }: BatchedIntent, blockNumber: bigint): Spending => ({
  quoteId,
  address: eoa,
  blockNumber,
})

/**
 * Ends the risk of a batch, and books the cost of its intents that paid nothing. They failed, burnt their gas, stayed
 * untouched, or are of a free kind. Payments in unlisted tokens count too, because the issuer can take the fee back.
 * @param gasUsed Null if the transaction was never mined.
 */
async function bookUnpaidGas(
  transaction: CommonQueryMethods,
  { id: outboundId, chainId }: { id: string; chainId: number },
  gasUsed: bigint | null,
  { intents, outcomes }: { intents: readonly BatchedIntent[]; outcomes: readonly IntentOutcome[] },
): Promise<void> {
  const { paid = [], unpaid = [] } = Object.groupBy(intents, (intent) =>
    findOutcome(outcomes, intent).state === 'succeeded' &&
    kindOf(intent.kind).price !== 'none' &&
    intent.feeListed
      ? 'paid'
      : 'unpaid',
  )
  await bookBatchGasEnd(transaction, {
    outboundId,
    chainId,
    gasUsed,
    paidIntentIds: paid.map(({ id }) => id),
    unpaidIntentIds: unpaid.map(({ id }) => id),
  })
}
