/**
 * Lets work in by client in turn, a few milliseconds of it in each round of the event loop: what a client asks for in
 * great number waits for itself, and somebody else's next request waits for one piece of it and not for all.
 */
export interface FairGate {
  /** Resolves when it is the client's turn; undefined when it is so at once. */
  enter(client: string): Promise<void> | undefined
}

/** Pieces of work that one round lets in at most, while they take no longer than this together. */
const PIECES = 16
const ROUND_MS = 2

export function createFairGate(): FairGate {
  const queues = new Map<string, (() => void)[]>()
  let waiting = 0
  let isTaken = false
  let begunAt = 0

  /** The client that has waited the longest; with more to do it goes to the end. */
  function letNextIn(): void {
    const [first] = queues
    if (!first) return
    const [client, queue] = first
    queues.delete(client)
    const next = queue.shift()
    if (queue.length > 0) queues.set(client, queue)
    waiting -= 1
    next?.()
  }

  /** What was let in runs before the next immediate of the round, so that the clock says what it took. */
  function beginRound(): void {
    if (waiting === 0) {
      isTaken = false
      return
    }
    begunAt = performance.now()
    letNextIn()
    for (let piece = 1; piece < Math.min(PIECES, waiting + 1); piece += 1) setImmediate(letOneMoreIn)
    setImmediate(beginRound)
  }

  function letOneMoreIn(): void {
    if (performance.now() - begunAt < ROUND_MS) letNextIn()
  }

  return {
    enter(client) {
      if (!isTaken) {
        isTaken = true
        setImmediate(beginRound)
        return undefined
      }
      waiting += 1
      return new Promise((resolve) => {
        const queue = queues.get(client)
        if (queue) queue.push(resolve)
        else queues.set(client, [resolve])
      })
    },
  }
}
