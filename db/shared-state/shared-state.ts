/**
 * What instances of the service share and may lose at any time: caches and events. Nothing here fails because the
 * store is away: reads then find nothing, writes are dropped, and messages reach their own instance only. What must
 * survive belongs in PostgreSQL.
 */
export interface SharedState {
  /**
   * The value under a key; null when there is none, when it has expired, or when the store cannot be reached.
   */
  get(key: string): Promise<string | null>
  /** @param ttlMs Whole milliseconds, at least 1, after which the value is gone. */
  set(key: string, value: string, ttlMs: number): Promise<void>
  delete(key: string): Promise<void>
  /**
   * Sends a message to the listeners of a topic in every instance, this one included. It is not stored. While the
   * store cannot be reached, only listeners of this instance get it, possibly a second time when the store is back.
   */
  publish(topic: string, message: string): Promise<void>
  /** Calls the listener for each message from now on. @returns A function that ends the subscription. */
  subscribe(topic: string, listener: TopicListener): Promise<() => Promise<void>>
  /** Whether a message to a topic that begins so may reach anybody; true where other instances may listen. */
  mayBeHeard(start: string): boolean
  /** Counts by key across all instances; per instance while the store cannot be reached. */
  rateCounter(policy: RatePolicy): RateCounter
  /** Whether the store answers now. */
  healthy(): Promise<boolean>
  /** For people: which store this is, without credentials. */
  describe(): string
  close(): Promise<void>
}

/** A limit of so many points per key and window. */
export interface RatePolicy {
  /** Counters of one name share their counts. */
  name: string
  /** How many points a key may take in a window; counting continues above. */
  points: number
  /** Length of a window, which begins with the first that a key takes. */
  seconds: number
}

/** Counts points by key in fixed windows, shared by all instances of the service. */
export interface RateCounter {
  /** Takes one, or so many. @returns how many the key has taken in its window, these included, and when that ends. */
  take(key: string, points?: number): Promise<{ taken: number; resetMs: number }>
}

/** Is called with each message of a topic; it must not block. */
export type TopicListener = (message: string) => void

/** @throws RangeError unless `ttlMs` is a whole number of milliseconds that the store can keep. */
export function checkTtl(ttlMs: number): void {
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 1)
    throw new RangeError(`A time to live of ${ttlMs} ms is not possible`)
}
