import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { z } from 'zod'
import type { AccountEvent, ResyncReason } from '../../relayer/account/changes/account-events.ts'
import { tokenIdOf } from '../../relayer/market/tokens/token-id.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import { describeHolding } from '../account/balances/describe-balances.ts'
import { describeStanding, type depositStanding } from '../account/balances/graph.ts'
import { heldBalance } from '../account/balances/model.ts'
import { describeReviewCounts, type reviewChange } from '../account/deposit-review/graph.ts'
import type { ActivityValue } from '../activity/activity-node.ts'
import { describeFacts } from '../activity/describe-activity.ts'
import { activityFacts } from '../activity/facts-model.ts'
import type { OperationContext } from '../define/context.ts'
import { createEncoder } from '../define/encode.ts'
import { quoteProgress } from '../transact/submit-model.ts'

/** The members of an event, by the name of its type. */
export interface EventContents {
  /** `key` names the balance. */
  BalanceChanged: { key: string; balance: z.input<typeof heldBalance> }
  ActivityChanged: { activity: ActivityValue }
  /** `key` names the activity. */
  ActivityRemoved: { key: string }
  QuoteChanged: { progress: z.input<typeof quoteProgress> }
  RelayProgress: { progress: z.input<typeof quoteProgress> }
  ReviewChanged: z.input<typeof reviewChange>
  DepositReviewed: { deposit: z.input<typeof depositStanding> }
  SessionExpiring: { expiresAt: string }
  ResyncRequired: { reason: ResyncReason }
}

/** An event as it is delivered. */
export type DeliveredEvent = {
  [Name in keyof EventContents]: { typename: Name; cursor: string } & EventContents[Name]
}[keyof EventContents]
type Described = {
  [Name in keyof EventContents]: { typename: Name } & EventContents[Name]
}[keyof EventContents]

/** Milliseconds before the end of a token at which its stream says so. */
const WARN_MS = 60_000
/** Longest time of a timer. */
const MOST_MS = 2 ** 31 - 1

const encodeHolding = createEncoder(heldBalance)
const encodeFacts = createEncoder(activityFacts)
const encodeProgress = createEncoder(quoteProgress)

/**
 * Yields the account's events as they stand when they are delivered, until the context's signal is aborted.
 *
 * @param after Cursor to resume from; null to begin.
 * @param expiresAt Milliseconds since 1970 at which the token expires; null for none.
 */
export async function* followEvents(
  accountId: string,
  { after, expiresAt }: { after: string | null; expiresAt: number | null },
  context: OperationContext,
): AsyncGenerator<DeliveredEvent> {
  const { services, signal } = context
  const describe = createDescriber(accountId, context)
  const events = services.accountEvents.follow(accountId, after, signal)
  const warning = expiresAt === null ? null : warnBefore(expiresAt, signal)
  let cursor = after ?? ''
  let isWarned = false
  let next = events.next()
  try {
    for (;;) {
      // Before the first event there is no cursor to resume from.
      const mayWarn = cursor !== '' && !isWarned
      const first = await (warning && mayWarn ? Promise.race([next, warning]) : next)
      if (first === 'expiring') {
        isWarned = true
        const until = new Date(expiresAt ?? 0).toISOString()
        yield { typename: 'SessionExpiring', cursor, expiresAt: until }
        continue
      }
      if (first.done) return
      const described = await describe(first.value)
      // Only the last event of a change leads beyond it.
      for (const [index, one] of described.entries()) {
        if (index === described.length - 1) ({ cursor } = first.value)
        yield { ...one, cursor }
      }
      if (described.length === 0) ({ cursor } = first.value)
      next = events.next()
    }
  } finally {
    // If the stream ends at a warning, nothing else waits for the pending event.
    void next.catch(() => undefined)
    await events.return(undefined)
  }
}

async function warnBefore(expiresAt: number, signal: AbortSignal): Promise<'expiring'> {
  const waitMs = Math.min(Math.max(0, expiresAt - WARN_MS - Date.now()), MOST_MS)
  // The end of the stream ends the wait; nothing else waits for it.
  await sleep(waitMs, undefined, { ref: false, signal }).catch(() => new Promise(() => {}))
  return 'expiring'
}

/** Describes changes by what the services say now. A change of which there is nothing to say is none. */
function createDescriber(accountId: string, { services }: OperationContext) {
  async function describeBalance(subject: string): Promise<Described[]> {
    const [chain = '', token = ''] = subject.split(' ')
    const id = tokenIdOf(Number(chain), token as Hex)
    const held = await orSkipped(services.balances.readToken(accountId, id))
    if (!held) return []
    const key = `${id.chainId}:${id.address}`
    return [{ typename: 'BalanceChanged', key, balance: encodeHolding(describeHolding(held)) }]
  }

  async function describeActivity(subject: string): Promise<Described[]> {
    const [chain = '', txHash] = subject.split(' ')
    const wanted =
      txHash === undefined ? { quoteId: chain } : { chainId: Number(chain), txHash: txHash as Hex }
    const { items } = await services.activity.find(accountId, wanted)
    const [found] = items
    if (found) return [changed(describeFacts(found))]
    const pending = (await services.pendingActivity.list(accountId, undefined)).items.map(describeFacts)
    // A transaction that a reorg took may have been that of any pending quote.
    if (txHash !== undefined)
      return [...pending.map(changed), { typename: 'ActivityRemoved', key: `${chain}:${txHash}` }]
    return pending.filter(({ quoteId }) => quoteId === chain).map(changed)
  }

  async function describeProgress(
    typename: 'QuoteChanged' | 'RelayProgress',
    quoteId: string,
  ): Promise<Described[]> {
    const status = await services.quotes.relayStatus(accountId, quoteId)
    return status ? [{ typename, progress: encodeProgress(status) }] : []
  }

  async function describeDeposit(subject: string): Promise<Described[]> {
    const [chain = '', pool = '', label = ''] = subject.split(' ')
    const name = { chainId: Number(chain), pool: pool as Hex, label: BigInt(label) }
    const found = await services.poolReviews.find(accountId, name)
    return found ? [{ typename: 'DepositReviewed', deposit: describeStanding(found) }] : []
  }

  const describers = {
    balance: describeBalance,
    activity: describeActivity,
    quote: (quoteId: string) => describeProgress('QuoteChanged', quoteId),
    relay: (quoteId: string) => describeProgress('RelayProgress', quoteId),
    deposit: describeDeposit,
    review: createReviewDescriber(accountId, services),
  }
  return async (event: AccountEvent): Promise<Described[]> =>
    event.kind === 'resync'
      ? [{ typename: 'ResyncRequired', reason: event.reason }]
      : describers[event.kind](event.subject)
}

/** Describes the counts of deposits under review; the same counts twice are no change. */
function createReviewDescriber(
  accountId: string,
  { depositReview }: OperationContext['services'],
): () => Promise<Described[]> {
  let last = ''
  return async () => {
    const review = describeReviewCounts(await depositReview.summarize(accountId))
    const text = JSON.stringify(review)
    if (text === last) return []
    last = text
    return [{ typename: 'ReviewChanged', ...review }]
  }
}

const changed = (facts: Parameters<typeof encodeFacts>[0]): Described => ({
  typename: 'ActivityChanged',
  activity: encodeFacts(facts),
})

/** Null for a token that cannot be described now. */
async function orSkipped<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
