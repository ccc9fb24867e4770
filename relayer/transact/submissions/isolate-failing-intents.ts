import { abandonEmptyBatches, listFormsOfIntents, type QueuedIntent } from '../../../db/transact/batches.ts'
import {
  deferIntents,
  endIntents,
  lockUnderWay,
  type Deferral,
  type IntentEnd,
} from '../../../db/transact/intents-end.ts'
import type { PublicClient } from 'viem'
import { readReceipts } from '../../chain/broadcast/read-receipts.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { explainIntentFailure } from '../intents/simulate-intent.ts'
import {
  findExecution,
  type FoundExecution,
  isNonceUsed,
  readCalled,
  type Called,
} from '../intents/find-execution.ts'
import type { Spending } from '../../../db/transact/reservations.ts'
import { endQuotes } from './end-quote.ts'
import { judgeIntent, weighEvidence, type Verdict } from './judge-intent.ts'
import type { FailingGroup } from './send-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'

/** The longest pause between two attempts. */
const MAX_PAUSE_MS = 60_000

/** Error of an intent whose nonce its owner used up, as the quote shows it. */
const USED_UP = 'InvalidNonce'

/** Pause between two checks of an overdue intent: only a final block ends it. */
const OVERDUE_PAUSE_MS = 5_000

/**
 * Judges the intents of a quote that cannot be sent now according to its simulation (`queued`), or that expired in the
 * outbox (`batched`). `judge-intent.ts` decides; this reads the chain, and books the decision.
 * @param client Reads logs, which may be slow; nothing else should wait for its answers.
 */
export async function isolateFailingIntents(
  parts: SubmissionParts,
  { chain, client }: { chain: Chain; client: PublicClient },
  { quote, reason }: FailingGroup,
  status: 'queued' | 'batched' = 'queued',
): Promise<void> {
  const { database, config, logger, board } = parts
  const seen = await lookAtChain(parts, chain, client, quote)
  // A mined batch is settled by its own settlement, which also books the gas. If it is mined later, the time to call a
  // recipient is over.
  const isMined = status === 'batched' && (await hasReceipt(parts, client, quote))
  const tried = quote.intents.map(({ attempts }) => attempts)
  const evidence = new Map(
    quote.intents.map((intent) => {
      const facts = { ...factsOf(seen, intent), isMined }
      const attempts = status === 'queued' ? Math.max(...tried) : null
      return [intent.id, weighEvidence(facts, attempts, config.maxAttempts)]
    }),
  )
  const isTriedOut = [...evidence.values()].includes('failing-too-often')
  const told = isTriedOut ? await explainOnce(parts, chain, quote, reason) : reason
  const growing = Math.min(config.retryAfterMs * 2 ** Math.min(...tried, 16), MAX_PAUSE_MS)

  await database.transaction(async (transaction) => {
    // Locks the present rows: another instance may have batched an intent in the meantime.
    const locked = await lockUnderWay(transaction, quote.quoteId, status)
    const isExposed = new Map(locked.map(({ id, exposed }) => [id, exposed]))
    const booked: Bookings = { ends: [], spendings: [], deferred: [] }
    for (const intent of quote.intents) {
      const exposed = isExposed.get(intent.id)
      const found = evidence.get(intent.id)
      if (exposed === undefined || !found) continue
      const place = status === 'batched' ? 'under-way' : exposed ? 'exposed' : 'unseen'
      const lookAgainMs = place === 'under-way' ? OVERDUE_PAUSE_MS : config.retryAfterMs
      const terms = { quoteId: quote.quoteId, failure: told, tryAgainMs: growing, lookAgainMs }
      bookVerdict(booked, judgeIntent(place, found), intent, seen, terms)
    }
    await endIntents(transaction, booked.ends)
    await deferIntents(transaction, booked.deferred)
    if (status === 'batched') await abandonEmptyBatches(transaction, quote.quoteId)
    await endQuotes(transaction, [quote.quoteId], booked.spendings, logger)
  })
  logger.info({ quoteId: quote.quoteId, reason, status }, 'a quote cannot be sent as it stands')
  board.tell([quote.quoteId])
}

/** The writes that carry out verdicts. */
interface Bookings {
  ends: IntentEnd[]
  spendings: Spending[]
  deferred: Deferral[]
}

/** Adds the writes that carry out a verdict. @param terms The error of an intent that fails, and the pauses. */
function bookVerdict(
  { ends, spendings, deferred }: Bookings,
  verdict: Verdict,
  { id, eoa }: QueuedIntent,
  { executions, usedUp }: Seen,
  terms: { quoteId: string; failure: string; tryAgainMs: number; lookAgainMs: number },
): void {
  const execution = executions.get(id)
  const txHash = execution?.hash ?? null
  switch (verdict.does) {
    case 'succeed': {
      const isUnproven = execution?.called !== 'signed'
      ends.push({ id, status: 'succeeded', txHash, error: null, ...(isUnproven && { isUnproven }) })
      if (execution)
        spendings.push({ quoteId: terms.quoteId, address: eoa, blockNumber: execution.blockNumber })
      break
    }
    case 'fail': {
      const error = execution
        ? (execution.outcome.error ?? 'burnt')
        : usedUp.has(id)
          ? USED_UP
          : terms.failure
      ends.push({ id, status: 'failed', txHash, error })
      break
    }
    case 'expire':
      ends.push({ id, status: 'failed', txHash: null, error: 'IntentExpired' })
      break
    case 'try-again':
      deferred.push({ id, attempts: verdict.attempts, delayMs: terms.tryAgainMs })
      break
    case 'look-again':
      deferred.push({ id, attempts: verdict.attempts, delayMs: terms.lookAgainMs })
  }
}

interface Seen {
  /** Executions by intent id. */
  executions: ReadonlyMap<string, FoundExecution & { called: Called }>
  /** Ids of intents whose nonce a final block used for something else. */
  usedUp: ReadonlySet<string>
  newestFinal: bigint
  /** Time of the newest final block, in seconds. */
  finalTime: bigint
}

/** Reads the executions of a quote's intents, and the final head, from the chain. */
async function lookAtChain(
  { orchestrators }: SubmissionParts,
  chain: Chain,
  client: PublicClient,
  { intents }: FailingGroup['quote'],
): Promise<Seen> {
  const contracts = orchestrators.get(chain.config.chainId) ?? []
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  const newestFinal = newest - BigInt(chain.config.confirmations)
  // Read before the executions: an intent that has expired and is not found after this cannot come any more.
  const finalTime = (await client.getBlock({ blockNumber: newestFinal < 0n ? 0n : newestFinal })).timestamp
  const executions = new Map<string, FoundExecution & { called: Called }>()
  const usedUp = new Set<string>()
  for (const intent of intents) {
    const range = { fromBlock: intent.fromBlock, toBlock: newest }
    const [isUsed, execution] = await Promise.all([
      newestFinal >= 0n && isNonceUsed(client, intent, newestFinal),
      findExecution(client, contracts, intent, range),
    ])
    const called = execution && (await readCalled(client, contracts, intent, execution.hash))
    if (called && called !== 'other') executions.set(intent.id, { ...execution, called })
    else if (isUsed) usedUp.add(intent.id)
  }
  return { executions, usedUp, newestFinal, finalTime }
}

function factsOf({ executions, usedUp, newestFinal, finalTime }: Seen, { id, expiresAt }: QueuedIntent) {
  const isFinal = ({ blockNumber }: FoundExecution) => blockNumber <= newestFinal
  const execution = executions.get(id)
  return {
    execution: execution
      ? { isFinal: isFinal(execution), state: execution.outcome.state }
      : usedUp.has(id)
        ? { isFinal: true, state: 'burnt' as const }
        : null,
    isBesideUnsettled: executions.values().some((one) => !isFinal(one)),
    hasExpired: BigInt(Math.floor(expiresAt.getTime() / 1_000)) < finalTime,
  }
}

/** True if a transaction with some of the intents is in a block. */
async function hasReceipt(
  { database }: SubmissionParts,
  client: PublicClient,
  { intents }: FailingGroup['quote'],
): Promise<boolean> {
  const ids = intents.map(({ id }) => id)
  const hashes = await listFormsOfIntents(database, ids)
  return (await readReceipts(client, hashes)).size > 0
}

/** Explains a quote that is given up, if the chain reports more than the name of an error. */
async function explainOnce(
  parts: SubmissionParts,
  chain: Chain,
  { intents }: FailingGroup['quote'],
  reason: string,
): Promise<string> {
  for (const intent of intents) {
    const explained = await explainIntentFailure(parts, chain, intent)
    if (explained !== null) return explained
  }
  return reason
}
