const PATIENCE_MS = 2_000

/**
 * Returns the last good value where `read` fails or takes more than two seconds; `initial` before the first. For pages that
 * must show something while a database is away. One read runs at a time.
 */
export function rememberLast<Value>(read: () => Promise<Value>, initial: Value): () => Promise<Value> {
  let last = initial
  let reading: Promise<void> | null = null
  async function run(): Promise<void> {
    try {
      last = await read()
    } catch {
      // The alarm of the part that failed says why.
    }
  }
  return async () => {
    reading ??= run().finally(() => (reading = null))
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, PATIENCE_MS)
    await Promise.race([reading, late]).finally(() => clearTimeout(timer))
    return last
  }
}
