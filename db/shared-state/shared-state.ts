/** Counters of rate limits. */
export interface RateCounters {
  /** Counts by key across all instances; per instance while the store cannot be reached. */
  rateCounter(policy: RatePolicy): RateCounter
}

/**
 * State that instances of the service share and may lose at any time: caches and events. No call fails because the
 * store is away: reads find nothing, writes are dropped, and messages reach their own instance only. State that must
 * survive belongs in PostgreSQL.
 */
export interface SharedState extends RateCounters {
  /** The value under a key; null when there is none, when it has expired, or when the store cannot be reached. */
  get(key: string): Promise<string | null>
  /** @param ttlMs Whole milliseconds, at least 1, after which the value is gone. */
  set(key: string, value: string, ttlMs: number): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Sends a message to the listeners of a topic in every instance, this one included. It is not stored. While the store
   * is away, only listeners of this instance get it, possibly a second time when the store is back.
   */
  publish(topic: string, message: string): Promise<void>
  /** Calls the listener for each message from now on. @returns A function that ends the subscription. */
  subscribe(topic: string, listener: TopicListener): Promise<() => Promise<void>>
  /** True if a topic with this prefix may have listeners; always true where other instances may listen. */
  mayBeHeard(start: string): boolean
  /** True if the store answers now. */
  healthy(): Promise<boolean>
  /** Names the store for people, without credentials. */
  describe(): string
  close(): Promise<void>
}

/** A limit of points per key and window. */
export interface RatePolicy {
  /** Counters of one name share their counts. */
  name: string
  /** Points that a key may take in a window; counting continues above. */
  points: number
  /** Length of a window, which begins with the key's first point. */
  seconds: number
}

/** Counts points by key in fixed windows, shared by all instances of the service. */
export interface RateCounter {
  /**
   * Takes points, by default one. @returns The key's points in its window, these included, and the time until the
   * window ends.
   */
  take(key: string, points?: number): Promise<{ taken: number; resetMs: number }>
}

/** Receives each message of a topic; it must not block. */
export type TopicListener = (message: string) => void

/** @throws RangeError unless `ttlMs` is a whole number of milliseconds that the store can keep. */
export function checkTtl(ttlMs: number): void {
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 1)
    throw new RangeError(`A time to live of ${ttlMs} ms is not possible`)
}
