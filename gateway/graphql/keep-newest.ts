/**
 * A map with a limit on its entries and on the characters of its keys together. Beyond it the least recently used
 * entries are removed.
 */
export function keepNewest<Value>(
  most: number,
  mostCharacters = Infinity,
): {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
} {
  const entries = new Map<string, Value>()
  let characters = 0

  function remove(key: string): void {
    if (entries.delete(key)) characters -= key.length
  }

  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      remove(key)
      entries.set(key, value)
      characters += key.length
      for (const oldest of entries.keys()) {
        if (entries.size <= most && characters <= mostCharacters) break
        remove(oldest)
      }
    },
  }
}
