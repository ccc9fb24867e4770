import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds for which a reading stays available to late followers. */
const KEPT_MS = 1_000

/**
 * Creates a reading that the followers of a key share after each change, whatever their number. A follower passes the time
 * of the change that woke it, by `performance.now()`. A reading that began since then has seen that change.
 */
export function shareReadings<Value>() {
  const readings = new Map<string, { begunAt: number; value: Promise<Value> }>()

  return (key: string, changedAt: number, read: () => Promise<Value>): Promise<Value> => {
    const present = readings.get(key)
    if (present && present.begunAt >= changedAt) return present.value
    const reading = { begunAt: performance.now(), value: read() }
    readings.set(key, reading)
    const forget = () => {
      if (readings.get(key) === reading) readings.delete(key)
    }
    reading.value.then(() => sleep(KEPT_MS, undefined, { ref: false })).then(forget, forget)
    return reading.value
  }
}
