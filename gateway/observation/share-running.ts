/** Runs once for all who ask while it runs; who asks afterwards has it run anew. */
export function shareRunning<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => (running ??= run().finally(() => (running = undefined)))
}
