import type { RateCounter } from './shared-state.ts'

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
