import { forEverybody } from '../shares/client.ts'

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

/**
 * Batches calls of a key that arrive while an earlier one is pending, in order. A busy key thus holds one connection.
 *
 * @param run Does `count` calls of a key and returns as many results; when it throws, all of them fail.
 */
export function batchByKey<Result>(
  run: (key: string, count: number) => Promise<readonly Result[]>,
  maxBatch: number,
): (key: string) => Promise<Result> {
  type Waiting = { resolve(result: Result): void; reject(reason: unknown): void }
  const waiting = new Map<string, Waiting[]>()

  async function serve(key: string, calls: Waiting[]): Promise<void> {
    while (calls.length > 0) {
      const batch = calls.splice(0, maxBatch)
      try {
        const results = await run(key, batch.length)
        for (const [index, call] of batch.entries()) {
          const result = results[index]
          if (result === undefined) call.reject(new Error('fewer results than calls'))
          else call.resolve(result)
        }
      } catch (error) {
        for (const call of batch) call.reject(error)
      }
    }
    waiting.delete(key)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const call = { resolve, reject }
      const calls = waiting.get(key)
      if (calls) calls.push(call)
      else {
        const first = [call]
        waiting.set(key, first)
        void serve(key, first)
      }
    })
}

/**
 * Processes items in at most `atOnce` concurrent runs. Items that arrive while all runs are busy wait; the next free run
 * takes all of them.
 *
 * @returns Accepts items. The promise resolves at once if a running run will process them, else when the run that it starts
 * ends.
 */
export function gatherRuns<Item>(
  atOnce: number,
  work: (items: readonly Item[]) => Promise<void>,
  onError: (error: unknown) => void,
): (items: readonly Item[]) => Promise<void> {
  let waiting: Item[] = []
  let running = 0

  return async (items) => {
    waiting.push(...items)
    if (running >= atOnce) return
    running += 1
    while (waiting.length > 0) {
      const all = waiting
      waiting = []
      await forEverybody(() => work(all)).catch(onError)
    }
    running -= 1
  }
}
