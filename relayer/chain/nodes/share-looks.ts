import { randomUUID } from 'node:crypto'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { randomFraction } from '../../concurrency/random-fraction.ts'
import { decodeHeadNews, encodeHeadNews, type HeadNews } from './head-news.ts'

/** Looks that may be left out in a row before an instance looks itself. */
const PATIENCE = 2
/** By so much the clocks of instances may differ. Milliseconds. */
const CLOCK_SKEW_MS = 2_000

/** How the instances of the service share the looks at one chain's head. */
export interface SharedLooks {
  /** Whether this instance looks for those that hear of it: true until another is heard that looks. */
  isLooking(): boolean
  /** Milliseconds from now until this instance looks itself, unless it hears of another's look before. */
  nextLookMs(): number
  /** Tells the others of a look of this instance. */
  tell(news: Omit<HeadNews, 'from'>): void
  /** Calls the listener with each look of another instance that is recent. */
  listen(onNews: (news: HeadNews) => void): Promise<void>
  close(): Promise<void>
}

/**
 * Of the instances that hear each other one looks at the chain, and the others look when it is silent: each look of another puts
 * off one's own. Where two look, the one with the greater id stops. News that are older than two looks do not count, so what an
 * instance goes by is never older than that, and it looks itself soon after.
 * @param clock Milliseconds of the system's clock, which the instances share within two seconds.
 */
export function shareLooks(
  sharedState: Pick<SharedState, 'publish' | 'subscribe'> | null,
  {
    chainId,
    pollIntervalMs,
    clock = Date.now,
  }: { chainId: number; pollIntervalMs: number; clock?: () => number },
): SharedLooks {
  const self = randomUUID()
  const topic = `head of chain ${chainId}`
  /** Whether this instance looks for the others. */
  let isLooking = true
  let leave: (() => Promise<void>) | null = null

  /** A message may lie around for long, for instance while a connection is away. */
  function isRecent({ at }: HeadNews): boolean {
    const age = clock() - at
    return age <= PATIENCE * pollIntervalMs + CLOCK_SKEW_MS && age >= -CLOCK_SKEW_MS
  }

  return {
    isLooking: () => isLooking,
    // At random times, so that of several that wait one looks first and the others hear of it.
    nextLookMs: () => (isLooking ? pollIntervalMs : (PATIENCE + randomFraction() / 2) * pollIntervalMs),
    tell(news) {
      isLooking = true
      // The shared state reports what it cannot deliver.
      sharedState?.publish(topic, encodeHeadNews({ ...news, from: self })).catch(() => undefined)
    },
    async listen(onNews) {
      if (!sharedState) return
      leave = await sharedState.subscribe(topic, (text) => {
        const news = decodeHeadNews(text)
        if (!news || news.from === self || !isRecent(news)) return
        if (news.from < self) isLooking = false
        onNews(news)
      })
    },
    async close() {
      await leave?.()
    },
  }
}
