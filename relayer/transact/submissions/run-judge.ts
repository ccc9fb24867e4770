import { emptyPointlessBatches, listOverdueIntents, postponeIntents } from '../../../db/transact/batches.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { createClient } from '../../chain/nodes/open-chain.ts'
import { isolateFailingIntents } from './isolate-failing-intents.ts'
import { groupByQuote } from './plan-batches.ts'
import type { FailingQuote } from './send-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'

/** Overdue quotes that one look takes. */
const LOOK = 400
/** Quotes of each kind that are judged at once: each asks the node for logs. */
const JUDGED_AT_ONCE = 4
/** Failing quotes that wait for their judgement; more are found again by the queue. */
const MAX_WAITING = 2_000
/** Milliseconds for which the queue leaves out a quote that waits to be judged. */
const LEFT_ALONE_MS = 30_000
/** The wait before an overdue quote that could not be judged is judged again. */
const UNENDED_MS = 30_000
/** What a transfer of nothing to ourselves takes. */
const TRANSFER_GAS = 21_000n

/** Judges quotes that cannot be sent, in a loop of its own, for which the batcher never waits. */
export interface Judge {
  /** Takes quotes out of the queue's sight until they were judged; resolves before that, and never rejects. */
  take(failing: readonly FailingQuote[]): Promise<void>
  /**
   * Looks for quotes whose time is over, and begins to judge them; returns at once. Once in `sweepMs` is enough: a quote has
   * minutes.
   */
  lookForOverdue(): void
  /** Resolves when the judgements in hand are done; none begins after the call. */
  close(): Promise<void>
}

/** The judge of one chain; other instances may have theirs. */
export function createJudge(parts: SubmissionParts, chain: Chain): Judge {
  const { database, config, logger } = parts
  const { chainId } = chain.config
  // Of its own: a batch of questions is answered as a whole, and a block must not wait for logs.
  const client = createClient(chain.config, {}, chain.nodes)
  /** By the id of the first intent. */
  const waiting = new Map<string, FailingQuote>()
  const closing = new AbortController()
  let lookedAt = -Infinity

  async function judgeEach(
    failing: () => FailingQuote | undefined,
    status: 'queued' | 'batched',
  ): Promise<void> {
    for (let one = failing(); one && !closing.signal.aborted; one = failing()) {
      const { quoteId } = one.quote
      try {
        await isolateFailingIntents(parts, { chain, client }, one, status)
      } catch (error) {
        logger.warn({ err: error, chainId, quoteId }, 'a quote could not be judged; tried again later')
        await postpone([one], status === 'queued' ? config.retryAfterMs : UNENDED_MS)
      }
    }
  }

  const judgeTogether = (failing: () => FailingQuote | undefined, status: 'queued' | 'batched') =>
    Promise.all(Array.from({ length: JUDGED_AT_ONCE }, () => judgeEach(failing, status)))

  async function postpone(failing: readonly FailingQuote[], forMs: number): Promise<void> {
    const ids = failing.flatMap(({ quote }) => quote.intents.map(({ id }) => id))
    await postponeIntents(database, ids, forMs).catch((error: unknown) =>
      logger.error({ err: error, chainId }, 'failing quotes could not be postponed'),
    )
  }

  function nextFailing(): FailingQuote | undefined {
    for (const [firstId, one] of waiting) {
      waiting.delete(firstId)
      return one
    }
    return undefined
  }

  const judgeFailures = coalesceRuns(
    async () => void (await judgeTogether(nextFailing, 'queued')),
    (error) => logger.error({ err: error, chainId }, 'failing quotes could not be judged'),
  )

  const judgeOverdue = coalesceRuns(
    async () => {
      if (closing.signal.aborted) return
      const overdue = groupByQuote(await listOverdueIntents(database, chainId, LOOK)).values()
      const reason = 'its time was over before it was mined'
      const next = () => {
        const { value: quote } = overdue.next()
        return quote && { quote, reason }
      }
      await judgeTogether(next, 'batched')
      const emptied = await emptyPointlessBatches(database, chainId, TRANSFER_GAS)
      if (emptied > 0) logger.info({ chainId, emptied }, 'transactions carry nothing any more')
    },
    (error) => logger.error({ err: error, chainId }, 'overdue quotes could not be looked for'),
  )

  return {
    async take(failing) {
      if (failing.length === 0) return
      await postpone(failing, LEFT_ALONE_MS)
      for (const one of failing) {
        const [first] = one.quote.intents
        if (first && waiting.size < MAX_WAITING) waiting.set(first.id, one)
      }
      void judgeFailures()
    },
    lookForOverdue() {
      if (performance.now() - lookedAt < config.sweepMs) return
      lookedAt = performance.now()
      void judgeOverdue()
    },
    async close() {
      closing.abort()
      await Promise.all([judgeFailures(), judgeOverdue()])
    },
  }
}
