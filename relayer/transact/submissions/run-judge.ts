import type { PublicClient } from 'viem'
import { emptyPointlessBatches, listOverdueIntents, postponeIntents } from '../../../db/transact/batches.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { createClient } from '../../chain/nodes/open-chain.ts'
import { isolateFailingIntents } from './isolate-failing-intents.ts'
import { groupByQuote } from './plan-batches.ts'
import type { FailingGroup } from './send-batch.ts'
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

/** The place of the quotes to judge: the queue, or a batch. */
type Place = 'queued' | 'batched'

/** Judges quotes of one chain that cannot be sent, in a loop of its own, so that the batcher never waits. */
export class Judge {
  readonly #parts: SubmissionParts
  readonly #chain: Chain
  /** A client of its own: a JSON-RPC batch is answered as a whole, and blocks must not wait for logs. */
  readonly #client: PublicClient
  /** Failing quotes by the id of their first intent. */
  readonly #waiting = new Map<string, FailingGroup>()
  readonly #closing = new AbortController()

  readonly #judgeFailures = coalesceRuns(
    () => this.#judgeTogether(() => this.#nextFailing(), 'queued'),
    (error) =>
      this.#parts.logger.error(
        { err: error, chainId: this.#chain.config.chainId },
        'failing quotes could not be judged',
      ),
  )

  /** Judges expired quotes; never rejects. */
  readonly judgeOverdue = coalesceRuns(
    () => this.#findAndJudgeOverdue(),
    (error) =>
      this.#parts.logger.error(
        { err: error, chainId: this.#chain.config.chainId },
        'overdue quotes could not be looked for',
      ),
  )

  constructor(parts: SubmissionParts, chain: Chain) {
    this.#parts = parts
    this.#chain = chain
    this.#client = createClient(chain.config, {}, chain.nodes)
  }

  /** Hides quotes from the queue until they are judged; resolves before that, and never rejects. */
  async take(failing: readonly FailingGroup[]): Promise<void> {
    if (failing.length === 0) return
    await this.#postpone(failing, LEFT_ALONE_MS)
    for (const one of failing) {
      const [first] = one.quote.intents
      if (first && this.#waiting.size < MAX_WAITING) this.#waiting.set(first.id, one)
    }
    void this.#judgeFailures()
  }

  /** Resolves when the pending judgements are done; none begins after the call. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([this.#judgeFailures(), this.judgeOverdue()])
  }

  async #findAndJudgeOverdue(): Promise<void> {
    const { database, logger } = this.#parts
    const { chainId } = this.#chain.config
    if (this.#closing.signal.aborted) return
    const overdue = groupByQuote(await listOverdueIntents(database, chainId, LOOK)).values()
    const reason = 'its time was over before it was mined'
    const next = () => {
      const { value: quote } = overdue.next()
      return quote && { quote, reason }
    }
    await this.#judgeTogether(next, 'batched')
    const emptied = await emptyPointlessBatches(database, chainId, TRANSFER_GAS)
    if (emptied > 0) logger.info({ chainId, emptied }, 'transactions carry nothing any more')
  }

  async #judgeTogether(failing: () => FailingGroup | undefined, place: Place): Promise<void> {
    await Promise.all(Array.from({ length: JUDGED_AT_ONCE }, () => this.#judgeEach(failing, place)))
  }

  async #judgeEach(failing: () => FailingGroup | undefined, place: Place): Promise<void> {
    const { config, logger } = this.#parts
    const { chainId } = this.#chain.config
    const on = { chain: this.#chain, client: this.#client }
    for (let one = failing(); one && !this.#closing.signal.aborted; one = failing()) {
      const { quoteId } = one.quote
      try {
        await isolateFailingIntents(this.#parts, on, one, place)
      } catch (error) {
        logger.warn({ err: error, chainId, quoteId }, 'a quote could not be judged; tried again later')
        await this.#postpone([one], place === 'queued' ? config.retryAfterMs : UNENDED_MS)
      }
    }
  }

  #nextFailing(): FailingGroup | undefined {
    for (const [firstId, one] of this.#waiting) {
      this.#waiting.delete(firstId)
      return one
    }
    return undefined
  }

  async #postpone(failing: readonly FailingGroup[], forMs: number): Promise<void> {
    const ids = failing.flatMap(({ quote }) => quote.intents.map(({ id }) => id))
    await postponeIntents(this.#parts.database, ids, forMs).catch((error: unknown) =>
      this.#parts.logger.error(
        { err: error, chainId: this.#chain.config.chainId },
        'failing quotes could not be postponed',
      ),
    )
  }
}
