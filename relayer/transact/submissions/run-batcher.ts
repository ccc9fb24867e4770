import { isGasRefused } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import { listQueuedIntents, postponeIntents } from '../../../db/transact/batches.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { hasDuty } from '../../chain/nodes/relayer-config.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { gasBudgetUsedUp } from '../../chain/errors.ts'
import { costOf } from '../../chain/nodes/sending-price.ts'
import { batchBytes } from './simulate-batch.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { maySend } from './judge-intent.ts'
import { gasLinesOf, gasOf, groupByQuote, planBatches, roomOf, type QueuedGroup } from './plan-batches.ts'
import { reviewCover } from './review-cover.ts'
import { Judge } from './run-judge.ts'
import { sendBatch, type FailingGroup } from './send-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { judgeDelegation, readDelegationState } from '../intents/delegation.ts'

/** Most quotes that one read of the queue returns. */
const LOOK = 400
/** Most windows of gathering, while each brings more. */
const MAX_WINDOWS = 5
/** Milliseconds that quotes wait while pending transactions leave no room in the budget of unpaid gas. */
const HELD_MS = 250
/** Worker on one chain's queue of intents; other instances may have theirs. */
export class Batcher {
  readonly #parts: SubmissionParts
  readonly #chain: Chain
  readonly #judge: Judge
  #lastSentAt = -Infinity
  #closed = false
  /** True after the budget of unpaid gas was found full at its last read. */
  #isTight = false

  /** Works on the queue now; never rejects. */
  readonly run = coalesceRuns(
    () => this.#work(),
    (error) =>
      this.#parts.logger.error(
        { err: error, chainId: this.#chainId },
        'the queue of intents could not be worked on',
      ),
  )

  constructor(parts: SubmissionParts, chain: Chain) {
    this.#parts = parts
    this.#chain = chain
    this.#judge = new Judge(parts, chain)
  }

  get #chainId(): number {
    return this.#chain.config.chainId
  }

  /** The same, with a look for expired quotes beside it. One in an interval is enough: a quote has minutes. */
  sweep(): Promise<void> {
    if (this.#chain.head() && !this.#closed) void this.#judge.judgeOverdue()
    return this.run()
  }

  /** Resolves when the pending steps are done, judgements among them; none begins after the call. */
  async close(): Promise<void> {
    this.#closed = true
    await this.run()
    await this.#judge.close()
  }

  async #work(): Promise<void> {
    const head = this.#chain.head()
    if (!head || this.#closed) return
    const waiting = await this.#gather()
    if (waiting.length > 0) await this.#judge.take(await this.#send(waiting, head.gasLimit))
  }

  /**
   * Gathers the waiting quotes. A lone quote goes at once, unless others have just gone: then it waits while more
   * arrive.
   */
  async #gather(): Promise<QueuedGroup[]> {
    const { database, config } = this.#parts
    const look = async () => groupByQuote(await listQueuedIntents(database, this.#chainId, LOOK))
    let waiting = await look()
    const isLone = waiting.length === 1 && performance.now() - this.#lastSentAt > config.batchWindowMs
    if (waiting.length === 0 || isLone) return waiting
    for (let window = 0; window < MAX_WINDOWS && waiting.length < config.maxBatch; window += 1) {
      await sleep(config.batchWindowMs)
      const before = waiting.length
      waiting = await look()
      if (waiting.length <= before) break
    }
    return waiting
  }

  /** Sends the quotes that can be sent, and returns the others. */
  async #send(waiting: readonly QueuedGroup[], blockGasLimit: bigint): Promise<FailingGroup[]> {
    const { config, gasBudget } = this.#parts
    this.#lastSentAt = performance.now()
    const [fresh, tried] = partition(waiting, ({ intents }) =>
      intents.every((intent) => maySend(intent, config.maxAttempts)),
    )
    const soonest = Date.now() + config.leastLifeMs
    const [late, timely] = partition(fresh, ({ intents }) =>
      intents.some(({ expiresAt }) => expiresAt.getTime() < soonest),
    )
    const { covered, failing: uncovered } = await reviewCover(this.#parts, this.#chain, timely)
    const { ready, failing } = await reviewDelegations(this.#chain, covered)
    const budgetGas = gasBudget.mostOf(this.#chainId, 'plain_new')
    const { fitting, hopeless } = await this.#holdBack(ready)
    const affordable = affordableGas(this.#parts, this.#chainId, fitting)
    const room = roomOf(config, { blockGasLimit, budgetGas }, affordable)
    failing.push(...(await this.#sendBatches(planBatches(fitting, room))))
    return [
      ...failing,
      ...hopeless.map((quote) => ({ quote, reason: gasBudgetUsedUp.terms.code })),
      ...uncovered,
      ...tried.map((quote) => ({ quote, reason: 'it was left untouched too often' })),
      ...late.map((quote) => ({ quote, reason: 'it would be mined too late' })),
    ]
  }

  /** Sends one batch after the other, and returns the quotes that failed. */
  async #sendBatches(batches: ReturnType<typeof planBatches>): Promise<FailingGroup[]> {
    const failing: FailingGroup[] = []
    for (const batch of batches) {
      try {
        failing.push(...(await sendBatch(this.#parts, this.#chain, batch)))
      } catch (error) {
        if (isGasRefused(error)) {
          this.#isTight = true
          await this.#hold(batch)
          continue
        }
        const fields = { err: error, chainId: this.#chainId }
        this.#parts.logger.error(fields, 'a batch could not be sent; tried again later')
      }
    }
    return failing
  }

  /**
   * Returns the quotes for which the budget of unpaid gas has room now, and those for which losses leave none. The
   * others stay queued until the pending transactions are in a block.
   */
  async #holdBack(quotes: readonly QueuedGroup[]) {
    if (quotes.length === 0) return { fitting: [], hopeless: [] }
    const { gasBudget, config } = this.#parts
    const askOf = (those: readonly QueuedGroup[]) => ({
      chainId: this.#chainId,
      lines: gasLinesOf(those),
      provenAfter: config.provenAfter,
    })
    const found = await gasBudget.findFitting(askOf(quotes), this.#isTight)
    const [fitting, held] = partition(quotes, ({ quoteId }) => found.has(quoteId))
    this.#isTight = held.length > 0
    if (!this.#isTight) return { fitting, hopeless: [] }
    const without = await gasBudget.findHopeless(askOf(held))
    const [hopeless, hopeful] = partition(held, ({ quoteId }) => without.has(quoteId))
    await this.#hold(hopeful)
    return { fitting, hopeless }
  }

  async #hold(quotes: readonly QueuedGroup[]): Promise<void> {
    const ids = quotes.flatMap(({ intents }) => intents.map(({ id }) => id))
    if (ids.length > 0) await postponeIntents(this.#parts.database, ids, HELD_MS)
  }
}

/**
 * Returns the gas of such quotes that the richest signer can pay for at twice its price, the highest offer
 * (compute-fees.ts).
 */
function affordableGas(
  { feePrices, broadcast }: SubmissionParts,
  chainId: number,
  quotes: readonly QueuedGroup[],
): bigint | null {
  const price = feePrices.sendingPriceOf(chainId)
  if (price === null) return null
  const balances = broadcast
    .signers()
    .flatMap((one) => (one.chainId === chainId && hasDuty(one, 'sends') ? [one.balance] : []))
  const most = balances.reduce((highest, balance) => (balance > highest ? balance : highest), 0n)
  // Uses the quote that costs most per gas: no batch of these costs more.
  const perGas = quotes.reduce((dearest, quote) => {
    const size = { gas: gasOf([quote]), bytes: batchBytes(quote.intents) }
    const one = costOf(price, size) / (size.gas || 1n) + 1n
    return one > dearest ? one : dearest
  }, price.gasPrice)
  return perGas === 0n || most === 0n ? null : most / (2n * perGas)
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const [first, second]: [Item[], Item[]] = [[], []]
  for (const item of items) (isFirst(item) ? first : second).push(item)
  return [first, second]
}

/**
 * Drops delegations already in effect; holds back quotes whose delegation has a stale nonce, because their intents
 * would be left untouched. Quotes of different accounts share a round trip; those of one account are read one after the
 * other.
 */
async function reviewDelegations(
  { client, config: { chainId } }: Chain,
  quotes: readonly QueuedGroup[],
): Promise<{ ready: QueuedGroup[]; failing: FailingGroup[] }> {
  const ready: QueuedGroup[] = []
  const failing: FailingGroup[] = []
  const review = async (quote: QueuedGroup): Promise<void> => {
    let isStale = false
    const intents = await Promise.all(
      quote.intents.map(async (intent) => {
        if (!intent.delegation) return intent
        const state = await readDelegationState(client, intent.eoa)
        const verdict = judgeDelegation({ chainId, address: intent.eoa, ...intent.delegation }, state)
        if (verdict === 'stale') isStale = true
        return verdict === 'needless' ? { ...intent, delegation: null } : intent
      }),
    )
    if (isStale) failing.push({ quote, reason: 'the nonce of a delegation was used by another transaction' })
    else ready.push({ ...quote, intents })
  }
  const ofAccounts = [...Map.groupBy(quotes, ({ intents }) => intents[0]?.accountId).values()]
  const rounds = Math.max(0, ...ofAccounts.map(({ length }) => length))
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(ofAccounts.flatMap((those) => those.slice(round, round + 1)).map(review))
  const order = new Map(quotes.map(({ intents }, place) => [intents[0]?.id, place]))
  ready.sort((one, other) => order.get(one.intents[0]?.id)! - order.get(other.intents[0]?.id)!)
  return { ready, failing }
}
