import type { Logger } from 'pino'
import type { DatabaseTransactionConnection, CommonQueryMethods } from 'slonik'
import { type Address, zeroAddress } from 'viem'
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
import { VERDICTS } from './judge-intent.ts'
import type { Spending } from '../../../db/transact/reservations.ts'
import { endQuotes } from './end-quote.ts'
import { bookBatchGasEnd } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import { insertSendGas, listBatchedQuotes } from '../../../db/transact/send-ledger.ts'

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

/**
 * Shares an amount by weights. The shares add up exactly; units lost by rounding go to later ones. Equal shares if no
 * weight is above 0. Exported for its test, a property over random weights.
 */
export function shareByWeight(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n && weights.length > 0)
    return shareByWeight(
      amount,
      weights.map(() => 1n),
    )
  let before = 0n
  return weights.map((weight) => {
    const after = before + weight
    const share = (amount * after) / whole - (amount * before) / whole
    before = after
    return share
  })
}

/**
 * Books the cost of a batch's transaction: its quotes share the receipt's fee by their expected gas. Call it in the
 * database transaction that settles the batch, after its intents have ended and before others leave the batch.
 *
 * @param batch With the hash and the fee of its transaction, in wei.
 * @throws UniqueIntegrityConstraintViolationError when it is booked already.
 */
export async function bookBatchGas(
  transaction: DatabaseTransactionConnection,
  batch: { id: string; chainId: number; hash: string; fee: bigint },
): Promise<void> {
  const quotes = await listBatchedQuotes(transaction, batch.id, batch.hash)
  // The quotes were erased with their accounts; the gas is booked all the same.
  if (quotes.length === 0)
    return insertSendGas(transaction, batch.id, [
      { chainId: batch.chainId, token: zeroAddress, gasSpent: batch.fee, executed: false },
    ])
  const shares = shareByWeight(
    batch.fee,
    quotes.map(({ gas }) => gas),
  )
  await insertSendGas(
    transaction,
    batch.id,
    quotes.map(({ chainId, token, executed }, place) => ({
      chainId,
      token,
      gasSpent: shares[place] ?? 0n,
      executed,
    })),
  )
}
