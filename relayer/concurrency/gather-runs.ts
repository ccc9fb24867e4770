import { forEverybody } from '../shares/client.ts'

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
