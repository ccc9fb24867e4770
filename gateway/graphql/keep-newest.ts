/** A map of at most so many entries: above that, the one that was used the longest ago goes. */
export function keepNewest<Value>(most: number): {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
} {
  const entries = new Map<string, Value>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    },
  }
}
