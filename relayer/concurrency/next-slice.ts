/** How long work that is cut into slices goes on before others have their turn, in milliseconds. */
const SLICE_MS = 1

const waiting: (() => void)[] = []
let isRunning = false

function beginOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(beginOne)
  else isRunning = false
}

/**
 * Ends a slice of long work; resolves when the next may begin. Of all such work one slice runs in each turn of the event loop, in
 * the order of arrival: a request that comes meanwhile waits for one slice, however many long answers are being made.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (isRunning) return
    isRunning = true
    setImmediate(beginOne)
  })
}

/** Cuts work into slices of a millisecond: the function is called after each small step, and its promise, if it gives one, awaited. */
export function createSlices(): () => Promise<void> | undefined {
  let begunAt = performance.now()
  return () => {
    if (performance.now() - begunAt < SLICE_MS) return undefined
    return nextSlice().then(() => {
      begunAt = performance.now()
    })
  }
}

/** Makes something of each item, in slices of a millisecond. @param paced Of work that this is a part of. */
export async function mapInSlices<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => Made,
  paced = createSlices(),
): Promise<Made[]> {
  const made: Made[] = []
  for (const item of items) {
    made.push(make(item))
    const turn = paced()
    if (turn) await turn
  }
  return made
}
