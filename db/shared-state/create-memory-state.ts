import type { Logger } from 'pino'
import { checkTtl, type RateCounter, type SharedState } from './shared-state.ts'
import { createTopicListeners } from './topic-listeners.ts'

/**
 * The shared state of a single instance, in its own memory.
 * @param maxEntries Above this, the value set longest ago is evicted, expired or not. Expired values at the old end are
 *   always dropped.
 */
export function createMemoryState(logger: Logger, maxEntries = 50_000): SharedState {
  const entries = new Map<string, { value: string; expiresAt: number }>()
  const topics = createTopicListeners(logger)
  const counters = new Map<string, RateCounter>()

  return {
    async get(key) {
      const entry = entries.get(key)
      if (!entry) return null
      if (performance.now() < entry.expiresAt) return entry.value
      entries.delete(key)
      return null
    },
    async set(key, value, ttlMs) {
      checkTtl(ttlMs)
      // A Map keeps insertion order: setting a key again must move it to the end.
      entries.delete(key)
      const now = performance.now()
      entries.set(key, { value, expiresAt: now + ttlMs })
      for (const [oldest, { expiresAt }] of entries) {
        if (expiresAt > now && entries.size <= maxEntries) break
        entries.delete(oldest)
      }
    },
    async delete(key) {
      entries.delete(key)
    },
    async publish(topic, message) {
      topics.dispatch(topic, message)
    },
    async subscribe(topic, listener) {
      const remove = topics.add(topic, listener)
      return async () => remove()
    },
    mayBeHeard: topics.hasAny,
    rateCounter(policy) {
      const counter = counters.get(policy.name) ?? createMemoryCounter(policy.seconds)
      counters.set(policy.name, counter)
      return counter
    },
    healthy: async () => true,
    describe: () => 'memory of this process',
    async close() {
      entries.clear()
    },
  }
}

/**
 * Counts by key in the memory of this process.
 * @param maxKeys Above this, the key with the oldest window is evicted: its window would be the next to expire anyway.
 */
export function createMemoryCounter(seconds: number, maxKeys = 20_000): RateCounter {
  // Ordered by start of the window, hence also by its end.
  const windows = new Map<string, { taken: number; endsAt: number }>()

  function openWindow(key: string, now: number): { taken: number; endsAt: number } {
    windows.delete(key)
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxKeys) break
      windows.delete(oldest)
    }
    const window = { taken: 0, endsAt: now + seconds * 1_000 }
    windows.set(key, window)
    return window
  }

  return {
    async take(key, points = 1) {
      const now = performance.now()
      let window = windows.get(key)
      if (!window || window.endsAt <= now) window = openWindow(key, now)
      window.taken += points
      // The sum behind endsAt may have been rounded up.
      const resetMs = Math.min(Math.ceil(window.endsAt - now), seconds * 1_000)
      return { taken: window.taken, resetMs }
    },
  }
}
