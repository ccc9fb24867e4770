import { workForAll } from '../../db/divide-connections.ts'

/**
 * A read whose callers share the answer of one that is under way for the same key: it may be older by the time it takes.
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
