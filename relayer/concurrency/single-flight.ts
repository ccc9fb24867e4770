import { workForAll } from '../../db/divide-connections.ts'

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
