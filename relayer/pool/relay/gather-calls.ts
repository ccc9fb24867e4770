/** Work on all the keys that are given in one go, in one call. The promise is that of the call. */
export function gatherCalls<Key>(work: (keys: readonly Key[]) => Promise<void>): (key: Key) => Promise<void> {
  let gathered: { keys: Set<Key>; done: Promise<void> } | null = null
  return (key) => {
    gathered ??= begin()
    gathered.keys.add(key)
    return gathered.done
  }

  function begin() {
    const keys = new Set<Key>()
    const done = Promise.resolve().then(() => {
      gathered = null
      return work([...keys])
    })
    return { keys, done }
  }
}
