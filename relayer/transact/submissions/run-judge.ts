import { emptyPointlessBatches, listOverdueIntents, postponeIntents } from '../../../db/transact/batches.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { createClient } from '../../chain/nodes/open-chain.ts'
import { isolateFailingIntents } from './isolate-failing-intents.ts'
import { groupByQuote } from './plan-batches.ts'
import type { FailingQuote } from './send-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'

/** Most overdue quotes that one read returns. */
const LOOK = 400
/** Quotes of each sort that are judged at once: each queries the node for logs. */
const JUDGED_AT_ONCE = 4
/** Most failing quotes that wait for judgement; the queue finds further ones again. */
const MAX_WAITING = 2_000
/** Milliseconds for which the queue skips a quote that waits to be judged. */
const LEFT_ALONE_MS = 30_000
/** Pause before an overdue quote that could not be judged is judged again. */
const UNENDED_MS = 30_000
/** Gas of an empty transfer to ourselves. */
const TRANSFER_GAS = 21_000n

/** Judges quotes that cannot be sent, in a loop of its own, so that the batcher never waits. */
export interface Judge {
  /** Hides quotes from the queue until they are judged; resolves before that, and never rejects. */
  take(failing: readonly FailingQuote[]): Promise<void>
  /** Starts judging expired quotes; returns at once. Once in `sweepMs` is enough: a quote has minutes. */
  lookForOverdue(): void
  /** Resolves when the pending judgements are done; none begins after the call. */
  close(): Promise<void>
}

/** Creates the judge of one chain; other instances may have theirs. */
export function createJudge(parts: SubmissionParts, chain: Chain): Judge {
  const { database, config, logger } = parts
  const { chainId } = chain.config
  // A client of its own: a JSON-RPC batch is answered as a whole, and blocks must not wait for logs.
  const client = createClient(chain.config, {}, chain.nodes)
  /** Failing quotes by the id of their first intent. */
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
