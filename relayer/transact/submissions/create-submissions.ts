import { findQuotesOfBatch, listBusyChains, listBatchedIntents } from '../../../db/transact/batches.ts'
import { forgetEndedIntents } from '../../../db/transact/intents-submit.ts'
import { ServiceError } from '../../service-error.ts'
import { untilEvenTime } from '../../concurrency/even-times.ts'
import { serializeByKey } from '../../concurrency/coalesce-runs.ts'
import type { RelayStatus, Submission, SubmitAnswer } from '../transact.ts'
import { retryEarnings } from './end-quote.ts'
import { createQuoteFollower, hasEnded, readRelayStatus } from './follow-quote.ts'
import { OwnBatches, BATCH_KIND, type SubmissionParts } from './submission-parts.ts'
import { Batcher } from './run-batcher.ts'
import { settleBatch } from './settle-batch.ts'
import { submitQuote } from './submit-quote.ts'
import { orUnavailable } from '../quotes/or-unavailable.ts'
import { quoteNotFound } from '../errors.ts'
import type { Reviewer, SettlementHandler } from '../../chain/broadcast/broadcast-engine.ts'
import { publishOutboundStep } from '../../chain/broadcast/observe-outbound.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { confirmRefusal } from '../../chain/nodes/each-node.ts'
import { simulateBatch, RecentSimulations } from './simulate-batch.ts'

/** Interval for erasing ended intents, which are stored for minutes or more. */
const FORGET_EVERY_MS = 10_000

/** Submissions: check the signed intents, send them, follow them to their end. */
export type Submissions = ReturnType<typeof createSubmissions>

/**
 * Creates the submissions over their parts. Registers its settlement with the broadcast engine: create it before that
 * starts.
 */
export function createSubmissions(options: Omit<SubmissionParts, 'rehearsals' | 'ownBatches' | 'inTurn'>) {
  const parts: SubmissionParts = {
    ...options,
    rehearsals: new RecentSimulations(),
    ownBatches: new OwnBatches(),
    inTurn: serializeByKey(),
  }
  const { database, broadcast, board, config, logger } = parts
  const queues = new Queues(parts)
  broadcast.onSettled(BATCH_KIND, (transaction, settled) => settleBatches(parts, transaction, settled))
  broadcast.onReview(BATCH_KIND, createBatchReviewer(parts))

  const read = (accountId: string, quoteId: string) =>
    readRelayStatus(database, accountId, quoteId, config.stuckAfterMs)

  const follow = createQuoteFollower(board, read)

  /** Waits for a hash or an end, up to `sendWaitMs`, and returns the status. */
  async function awaitHash(accountId: string, quoteId: string, isNew: boolean): Promise<RelayStatus> {
    const signal = AbortSignal.timeout(config.sendWaitMs)
    for await (const status of follow(accountId, quoteId, signal, isNew))
      if (status.txHash !== null || hasEnded(status)) return status
    const status = await read(accountId, quoteId)
    if (!status) throw quoteNotFound()
    return status
  }

  return {
    /** As {@link Quotes.submit}. */
    async submit(
      accountId: string,
      submission: Submission,
      from: string | null = null,
    ): Promise<SubmitAnswer> {
      const { quoteId } = submission
      const chainId = await orUnavailable(submitQuote(parts, accountId, submission, from))
      // Starts listening before the batcher begins.
      const sent = awaitHash(accountId, quoteId, chainId !== null).catch((error: unknown) => {
        if (error instanceof ServiceError) throw error
        // It is queued, whatever can be read of it: a failure would say that nothing was sent.
        logger.error({ err: error, quoteId }, 'it could not be waited for the hash of a submission')
        return { txHash: null }
      })
      if (chainId !== null) {
        logger.info({ chainId, quoteId }, 'a quote is submitted')
        publishOutboundStep({ step: 'awaited', reference: quoteId })
        void queues.wake(chainId)
      }
      const { txHash } = await sent
      return { quoteId, txHash, status: txHash === null ? 'queued' : 'submitted' }
    },
    /** Returns null for an unknown quote. */
    relayStatus: read,
    start() {
      queues.start()
      return Promise.resolve()
    },
    stop: () => queues.stop(),
  }
}

/** The queues of intents of all chains that send, and the timer that erases ended intents. */
class Queues {
  readonly #parts: SubmissionParts
  readonly #sending: readonly Chain[]
  readonly #batchers: ReadonlyMap<number, Batcher>
  readonly #leave: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #forgotAt = -Infinity
  #sweeping: Promise<unknown> = Promise.resolve()
  #stopped = false
  /** Chains with work at the last sweep, or since: a block of another chain causes no query. */
  #busy = new Set<number>()

  constructor(parts: SubmissionParts) {
    this.#parts = parts
    this.#sending = [...parts.chains.values()].filter(({ config: { sending } }) => sending !== undefined)
    this.#batchers = new Map(this.#sending.map((chain) => [chain.config.chainId, new Batcher(parts, chain)]))
  }

  start(): void {
    this.#leave.push(
      this.#parts.broadcast.subscribe(({ kind, reference }) => {
        if (kind === BATCH_KIND) this.#tellQuotes(reference)
      }),
      ...this.#sending.map((chain) =>
        chain.onHead(() => {
          if (this.#busy.has(chain.config.chainId)) void this.wake(chain.config.chainId)
        }),
      ),
    )
    // Picks up the work that an ended process left in the queue.
    this.#sweepLater()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    for (const end of this.#leave) end()
    await this.#sweeping
    await Promise.all([...this.#batchers.values()].map((batcher) => batcher.close()))
  }

  /** Works on a chain's queue now. */
  wake(chainId: number): Promise<void> | undefined {
    this.#busy.add(chainId)
    return this.#batchers.get(chainId)?.run()
  }

  /** Reports the progress of a batch to the followers of its quotes. */
  #tellQuotes(batchId: string): void {
    const { database, board, ownBatches, logger } = this.#parts
    // For another instance's batch, quotes are read only if this instance has listeners.
    if (!board.isHeard()) return
    const known = ownBatches.find(batchId)
    if (known) return board.tell(known)
    findQuotesOfBatch(database, batchId).then(board.tell, (error: unknown) =>
      logger.error({ err: error }, 'progress of a batch not told'),
    )
  }

  #sweepLater(): void {
    const { config, logger } = this.#parts
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep()
        .catch((error: unknown) => logger.error({ err: error }, 'ended intents could not be erased'))
        .finally(() => {
          if (!this.#stopped) this.#sweepLater()
        })
    }, untilEvenTime(config.sweepMs))
  }

  async #sweep(): Promise<void> {
    const { database, config, logger } = this.#parts
    this.#busy = new Set(await listBusyChains(database))
    await Promise.all([...this.#busy].map(async (chainId) => this.#batchers.get(chainId)?.sweep()))
    if (performance.now() - this.#forgotAt < FORGET_EVERY_MS) return
    this.#forgotAt = performance.now()
    await retryEarnings(database, logger)
    await forgetEndedIntents(database, config.retainMs)
  }
}

/** Settles batches one after the other: each locks the accounts of its intents, in order. */
async function settleBatches(
  { orchestrators, config: { retryAfterMs }, logger }: SubmissionParts,
  ...[transaction, settled]: Parameters<SettlementHandler>
): Promise<void> {
  for (const { outbound, settlement } of settled) {
    const ofChain = orchestrators.get(outbound.chainId)
    if (!ofChain) throw new Error(`no Orchestrator of chain ${outbound.chainId} is known`)
    await settleBatch(transaction, outbound, settlement, { orchestrators: ofChain, retryAfterMs, logger })
  }
}

/** An intent was executed already: in this batch's own transaction, or in another one. */
const USED = 'InvalidNonce'

/**
 * Creates the reviewer, which simulates batches again that wait for long, or that are sent again. A batch with a
 * failing intent is abandoned. Its intents return to the queue, where those that succeed get another batch and the rest
 * are judged. The batcher handles batches that nodes already hold.
 */
function createBatchReviewer(parts: SubmissionParts): Reviewer {
  async function simulate(chain: Chain, reference: string): Promise<string | null> {
    const intents = await listBatchedIntents(parts.database, reference)
    if (intents.length === 0) return 'its intents have ended'
    const simulated = await simulateBatch(parts, chain, intents)
    if (!simulated.success) return simulated.revert.name ?? simulated.revert.text.slice(0, 200)
    const failure = simulated.failures.find((one) => one !== null)
    return failure === undefined ? null : `an intent would fail: ${failure}`
  }
  function chainOf(chainId: number): Chain {
    const chain = parts.chains.get(chainId)
    if (!chain) throw new Error(`chain ${chainId} is no longer configured`)
    return chain
  }
  return {
    queued: async ({ chainId, reference }) => simulate(chainOf(chainId), reference),
    again: async ({ chainId, reference }) =>
      confirmRefusal(chainOf(chainId), async (chain) => {
        const reason = await simulate(chain, reference)
        if (reason?.includes(USED)) throw new Error('an intent of it is executed, where is not final')
        return reason
      }),
  }
}
