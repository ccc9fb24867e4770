/** Milliseconds that sliced work runs before it yields to other work. */
const SLICE_MS = 1

const waiting: (() => void)[] = []
let isRunning = false

function beginOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(beginOne)
  else isRunning = false
}

/**
 * Ends a slice of long work; resolves when the next may begin. One slice runs in each turn of the event loop, first come,
 * first served. A request that arrives meanwhile waits for one slice, however many long answers are pending.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (isRunning) return
    isRunning = true
    setImmediate(beginOne)
  })
}

/**
 * Cuts work into slices of a millisecond: call the function after each small step and await the promise if it returns one.
 */
export function createSlices(): () => Promise<void> | undefined {
  let begunAt = performance.now()
  return () => {
    if (performance.now() - begunAt < SLICE_MS) return undefined
    return nextSlice().then(() => {
      begunAt = performance.now()
    })
  }
}

/** Maps each item in slices of a millisecond. @param paced The slices of the larger work that this is part of. */
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
