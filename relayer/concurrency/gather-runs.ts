import { forEverybody } from '../shares/client.ts'

/**
 * Works on what comes, in up to so many runs at once. What comes while all of them are busy waits, and the next run that is
 * free takes all of it together.
 *
 * @returns Takes items. The promise resolves at once where others work on them, else with the end of the run.
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
