/** Handles all keys of one tick by one call. All callers get the promise of that call. */
export function gatherCalls<Key, Result>(
  work: (keys: readonly Key[]) => Promise<Result>,
): (key: Key) => Promise<Result> {
  let gathered: { keys: Set<Key>; done: Promise<Result> } | null = null
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
