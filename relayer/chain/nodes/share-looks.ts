import { randomUUID } from 'node:crypto'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { randomFraction } from '../../concurrency/even-times.ts'
import { decodeHeadNews, encodeHeadNews, type HeadNews } from './head-news.ts'

/** Missed reads of another instance after which an instance reads itself. */
const PATIENCE = 2
/** Most milliseconds by which the clocks of instances may differ. */
const CLOCK_SKEW_MS = 2_000

/** Shares reads of one chain's head between the instances of the service. */
export interface SharedLooks {
  /** True if this instance reads for the others; true until it hears of another instance's read. */
  isLooking(): boolean
  /** Milliseconds until this instance reads itself, unless it hears of another's read before. */
  nextLookMs(): number
  /** Publishes a read of this instance to the others. */
  tell(news: Omit<HeadNews, 'from'>): void
  /** Calls the listener with each recent read of another instance. */
  listen(onNews: (news: HeadNews) => void): Promise<void>
  close(): Promise<void>
}

/**
 * One of the instances polls the chain, and the others poll when it is silent: each published read postpones their own. If
 * two poll, the one with the greater id stops. Reads older than two polls are ignored: an instance never relies on an older
 * one, and soon reads the head itself.
 * @param clock Milliseconds of the system's clock, which the instances share within two seconds.
 */
export function shareLooks(
  sharedState: SharedState | null,
  {
    chainId,
    pollIntervalMs,
    clock = Date.now,
  }: { chainId: number; pollIntervalMs: number; clock?: () => number },
): SharedLooks {
  const self = randomUUID()
  const topic = `head of chain ${chainId}`
  /** Whether this instance reads for the others. */
  let isLooking = true
  let leave: (() => Promise<void>) | null = null

  /** A message may be delayed for long, for instance while a connection is down. */
  function isRecent({ at }: HeadNews): boolean {
    const age = clock() - at
    return age <= PATIENCE * pollIntervalMs + CLOCK_SKEW_MS && age >= -CLOCK_SKEW_MS
  }

  return {
    isLooking: () => isLooking,
    // At random times, so that of several waiting instances one reads first and the others hear of it.
    nextLookMs: () => (isLooking ? pollIntervalMs : (PATIENCE + randomFraction() / 2) * pollIntervalMs),
    tell(news) {
      isLooking = true
      // The shared state reports failed deliveries.
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
