import { isGasRefused } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import { listQueuedIntents, postponeIntents } from '../../../db/transact/batches.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { hasDuty } from '../../chain/nodes/list-signers.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { gasBudgetUsedUp } from '../../chain/errors.ts'
import { costOf } from '../../chain/nodes/sending-price.ts'
import { batchBytes } from './executable-intent.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { maySend } from './judge-intent.ts'
import { gasLinesOf, gasOf, groupByQuote, planBatches, roomOf, type QueuedQuote } from './plan-batches.ts'
import { reviewCover } from './review-cover.ts'
import { createJudge } from './run-judge.ts'
import { sendBatch, type FailingQuote } from './send-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { judgeDelegation, readDelegationState } from '../intents/delegation.ts'

/** Most quotes that one read of the queue returns. */
const LOOK = 400
/** Most windows of gathering, while each brings more. */
const MAX_WINDOWS = 5
/** Milliseconds that quotes wait while pending transactions leave no room in the budget of unpaid gas. */
const HELD_MS = 250
/** Worker on one chain's queue of intents. */
export interface Batcher {
  /** Works on the queue now; never rejects. */
  run(): Promise<void>
  /** Resolves when the pending steps are done, judgements among them; none begins after the call. */
  close(): Promise<void>
}

/** Creates the worker on one chain's queue of intents; other instances may have theirs. */
export function createBatcher(parts: SubmissionParts, chain: Chain): Batcher {
  const { database, config, logger } = parts
  const { chainId } = chain.config
  const judge = createJudge(parts, chain)
  let lastSentAt = -Infinity
  let closed = false
  /** True after the budget of unpaid gas was found full at its last read. */
  let isTight = false

  /**
   * Gathers the waiting quotes. A lone quote goes at once, unless others have just gone: then it waits while more
   * arrive.
   */
  async function gather(): Promise<QueuedQuote[]> {
    const look = async () => groupByQuote(await listQueuedIntents(database, chainId, LOOK))
    let waiting = await look()
    const isLone = waiting.length === 1 && performance.now() - lastSentAt > config.batchWindowMs
    if (waiting.length === 0 || isLone) return waiting
    for (let window = 0; window < MAX_WINDOWS && waiting.length < config.maxBatch; window += 1) {
      await sleep(config.batchWindowMs)
      const before = waiting.length
      waiting = await look()
      if (waiting.length <= before) break
    }
    return waiting
  }

  async function work(): Promise<void> {
    const head = chain.head()
    if (!head || closed) return
    judge.lookForOverdue()
    const waiting = await gather()
    if (waiting.length > 0) await judge.take(await send(waiting, head.gasLimit))
  }

  /** Sends the quotes that can be sent, and returns the others. */
  async function send(waiting: readonly QueuedQuote[], blockGasLimit: bigint): Promise<FailingQuote[]> {
    lastSentAt = performance.now()
    const [fresh, tried] = partition(waiting, ({ intents }) =>
      intents.every((intent) => maySend(intent, config.maxAttempts)),
    )
    const soonest = Date.now() + config.leastLifeMs
    const [late, timely] = partition(fresh, ({ intents }) =>
      intents.some(({ expiresAt }) => expiresAt.getTime() < soonest),
    )
    const { covered, failing: uncovered } = await reviewCover(parts, chain, timely)
    const { ready, failing } = await reviewDelegations(chain, covered)
    const budgetGas = parts.gasBudget.mostOf(chainId, 'plain_new')
    const { fitting, hopeless } = await holdBack(ready)
    const room = roomOf(config, { blockGasLimit, budgetGas }, affordableGas(fitting))
    for (const batch of planBatches(fitting, room)) {
      try {
        failing.push(...(await sendBatch(parts, chain, batch)))
      } catch (error) {
        if (isGasRefused(error)) {
          isTight = true
          await hold(batch)
          continue
        }
        logger.error({ err: error, chainId }, 'a batch could not be sent; tried again later')
      }
    }
    return [
      ...failing,
      ...hopeless.map((quote) => ({ quote, reason: gasBudgetUsedUp.terms.code })),
      ...uncovered,
      ...tried.map((quote) => ({ quote, reason: 'it was left untouched too often' })),
      ...late.map((quote) => ({ quote, reason: 'it would be mined too late' })),
    ]
  }

  /**
   * Returns the quotes for which the budget of unpaid gas has room now, and those for which losses leave none. The
   * others stay queued until the pending transactions are in a block.
   */
  async function holdBack(quotes: readonly QueuedQuote[]) {
    if (quotes.length === 0) return { fitting: [], hopeless: [] }
    const askOf = (those: readonly QueuedQuote[]) => ({
      chainId,
      lines: gasLinesOf(those),
      provenAfter: config.provenAfter,
    })
    const found = await parts.gasBudget.findFitting(askOf(quotes), isTight)
    const [fitting, held] = partition(quotes, ({ quoteId }) => found.has(quoteId))
    isTight = held.length > 0
    if (!isTight) return { fitting, hopeless: [] }
    const without = await parts.gasBudget.findHopeless(askOf(held))
    const [hopeless, hopeful] = partition(held, ({ quoteId }) => without.has(quoteId))
    await hold(hopeful)
    return { fitting, hopeless }
  }

  async function hold(quotes: readonly QueuedQuote[]): Promise<void> {
    const ids = quotes.flatMap(({ intents }) => intents.map(({ id }) => id))
    if (ids.length > 0) await postponeIntents(database, ids, HELD_MS)
  }

  /**
   * Returns the gas of such quotes that the richest signer can pay for at twice its price, the highest offer
   * (compute-fees.ts).
   */
  function affordableGas(quotes: readonly QueuedQuote[]): bigint | null {
    const price = parts.sendingPriceOf(chainId)
    if (price === null) return null
    const balances = parts.broadcast
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

  const run = coalesceRuns(work, (error) =>
    logger.error({ err: error, chainId }, 'the queue of intents could not be worked on'),
  )
  return {
    run,
    async close() {
      closed = true
      await run()
      await judge.close()
    },
  }
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
  quotes: readonly QueuedQuote[],
): Promise<{ ready: QueuedQuote[]; failing: FailingQuote[] }> {
  const ready: QueuedQuote[] = []
  const failing: FailingQuote[] = []
  const review = async (quote: QueuedQuote): Promise<void> => {
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
