import { forEverybody } from '../shares/client.ts'

/** Runs `work` one at a time; calls during a run make it run once more. The promise resolves when no work is left. */
export function coalesceRuns(
  work: () => Promise<void>,
  onError: (error: unknown) => void | Promise<void>,
): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false

  async function run(): Promise<void> {
    do {
      again = false
      await work().catch(onError)
    } while (again)
  }

  return () => {
    if (running) again = true
    running ??= forEverybody(run).finally(() => (running = null))
    return running
  }
}
