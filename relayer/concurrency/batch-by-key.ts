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
