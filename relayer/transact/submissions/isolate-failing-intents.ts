import { abandonEmptyBatches, listFormsOfQuote, type QueuedIntent } from '../../../db/transact/batches.ts'
import { delayIntents, endIntents, lockUnderWay, type IntentEnd } from '../../../db/transact/intents-end.ts'
import type { PublicClient } from 'viem'
import { readReceipts } from '../../chain/broadcast/read-receipts.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { explainFailure } from '../intents/explain-failure.ts'
import { findExecution, type IntentExecution } from '../intents/find-execution.ts'
import { endQuotes, type Spending } from './end-quote.ts'
import type { FailingQuote } from './send-batch.ts'
import { demandIntents } from './simulate-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'

/** The longest pause between two attempts. */
const MAX_PAUSE_MS = 60_000

/** Between two looks at what is overdue: its end comes with a block that is final. */
const OVERDUE_PAUSE_MS = 5_000

/**
 * What becomes of a quote that cannot be sent now, as its simulation says, or that is in the outbox although its time is
 * over: intents that the chain shows executed, by whomever, end so; the others are tried again, and fail once they were
 * tried often or have expired. One that others may have seen fails only when it has expired: until then anybody might
 * still execute it, and what was given up as failed and sent again would be paid twice.
 * @param client Asks for logs, which may take long: one that nobody else waits for.
 */
export async function isolateFailingIntents(
  parts: SubmissionParts,
  { chain, client }: { chain: Chain; client: PublicClient },
  { quote, reason }: FailingQuote,
  status: 'queued' | 'batched' = 'queued',
): Promise<void> {
  const { database, config, logger, board } = parts
  const { orchestrator } = demandIntents(chain)
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  const newestFinal = newest - BigInt(chain.config.confirmations)
  // Before the executions: what is not there by then and has expired cannot come any more.
  const finalTime = (await client.getBlock({ blockNumber: newestFinal < 0n ? 0n : newestFinal })).timestamp
  const executions = new Map<string, IntentExecution>()
  for (const intent of quote.intents) {
    const range = { fromBlock: intent.fromBlock, toBlock: newest }
    const execution = await findExecution(client, orchestrator, intent, range)
    if (execution) executions.set(intent.id, execution)
  }

  const isOverdue = status === 'batched'
  // Who settles the transaction ends what was in it, and books the gas that it cost. One that is mined later comes too late
  // to call a recipient.
  const isMined = isOverdue && (await hasReceipt(parts, client, quote.quoteId))
  const isTriedOut = !isOverdue && quote.intents.some(({ attempts }) => attempts + 1 >= config.maxAttempts)
  const told = isTriedOut ? await explainOnce(parts, chain, quote, reason) : reason
  const hasExpired = ({ expiresAt }: QueuedIntent) =>
    BigInt(Math.floor(expiresAt.getTime() / 1_000)) < finalTime

  await database.transaction(async (transaction) => {
    // As of now: it may have been in a batch while the node was asked.
    const locked = await lockUnderWay(transaction, quote.quoteId, status)
    const isExposed = new Map(locked.map(({ id, exposed }) => [id, exposed]))
    const ends: IntentEnd[] = []
    const spendings: Spending[] = []
    const later: string[] = []
    let isUnsettled = false
    for (const intent of quote.intents.filter(({ id }) => isExposed.has(id))) {
      const execution = executions.get(intent.id)
      if (isMined) later.push(intent.id)
      else if (execution && execution.blockNumber <= newestFinal) {
        const hasSucceeded = execution.outcome.state === 'succeeded'
        const error = hasSucceeded ? null : (execution.outcome.error ?? 'burnt')
        ends.push({
          id: intent.id,
          status: hasSucceeded ? 'succeeded' : 'failed',
          txHash: execution.hash,
          error,
        })
        if (hasSucceeded)
          spendings.push({ quoteId: quote.quoteId, eoa: intent.eoa, blockNumber: execution.blockNumber })
      } else if (execution) {
        isUnsettled = true
        later.push(intent.id)
      } else if (hasExpired(intent) || (isTriedOut && !isExposed.get(intent.id)))
        ends.push({
          id: intent.id,
          status: 'failed',
          txHash: null,
          error: hasExpired(intent) ? 'IntentExpired' : told,
        })
      else later.push(intent.id)
    }
    await endIntents(transaction, ends)
    const attempts = Math.min(...quote.intents.map((intent) => intent.attempts))
    const pauseMs = Math.min(config.retryAfterMs * 2 ** Math.min(attempts, 16), MAX_PAUSE_MS)
    if (later.length > 0)
      await delayIntents(transaction, later, {
        delayMs: isOverdue ? OVERDUE_PAUSE_MS : isUnsettled ? config.retryAfterMs : pauseMs,
        counts: !isOverdue && !isUnsettled,
      })
    if (isOverdue) await abandonEmptyBatches(transaction, quote.quoteId)
    await endQuotes(transaction, [quote.quoteId], spendings)
  })
  logger.info({ quoteId: quote.quoteId, reason, status }, 'a quote cannot be sent as it stands')
  board.tell([quote.quoteId])
}

/** Whether a transaction with intents of the quote is in a block. */
async function hasReceipt(
  { database }: SubmissionParts,
  client: PublicClient,
  quoteId: string,
): Promise<boolean> {
  const hashes = await listFormsOfQuote(database, quoteId)
  return (await readReceipts(client, hashes)).size > 0
}

/** What is given up is told in full, where the chain says more than the name of an error. */
async function explainOnce(
  parts: SubmissionParts,
  chain: Chain,
  { intents }: FailingQuote['quote'],
  reason: string,
): Promise<string> {
  for (const intent of intents) {
    const explained = await explainFailure(parts, chain, intent)
    if (explained !== null) return explained
  }
  return reason
}
