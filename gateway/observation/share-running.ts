/** Runs once for all callers that ask while it runs; a caller that asks afterwards starts a new run. */
export function shareRunning<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => (running ??= run().finally(() => (running = undefined)))
}
