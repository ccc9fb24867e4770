/** Runs once for all callers that arrive while it runs; a later caller starts a new run. */
export function shareRunning<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => (running ??= run().finally(() => (running = undefined)))
}
