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
