import { forEverybody } from '../shares/client.ts'
import { workForAll } from '../../db/divide-connections.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** Runs `work` one at a time; calls during a run make it run once more. The promise resolves when no work is left. */
export function coalesceRuns(
  work: () => Promise<void>,
  onError: (error: unknown) => void | Promise<void>,
): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false

  async function run(): Promise<void> {
    do {
      again = false
      await work().catch(onError)
    } while (again)
  }

  return () => {
    if (running) again = true
    running ??= forEverybody(run).finally(() => (running = null))
    return running
  }
}

/**
 * Shares one pending read among its callers, by key. An answer may be as old as the read takes.
 *
 * @example
 * ```ts
 * const readOnce = singleFlight(readBalance)
 * const balances = await Promise.all([readOnce('0x01'), readOnce('0x01')]) // one read, two answers
 * ```
 */
export function singleFlight<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const underWay = new Map<Key, Promise<Value>>()
  return (key) => {
    const reading = underWay.get(key) ?? workForAll(() => read(key)).finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }
}

/**
 * Runs tasks with the same key one after the other, in order of arrival.
 *
 * @example
 * ```ts
 * const inTurn = serializeByKey()
 * await Promise.all([inTurn(account, first), inTurn(account, second)]) // second begins when first has ended
 * ```
 */
export function serializeByKey(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<void>>()
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task)
    const ended: Promise<void> = turn.then(ignore, ignore).then(() => {
      if (last.get(key) === ended) last.delete(key)
    })
    last.set(key, ended)
    return turn
  }
}

const ignore = () => undefined

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
