import { serverBusy } from '../../relayer/errors.ts'
import { createSharedTurns, type SharedTurns } from '../../relayer/shares/shared-turns.ts'

/**
 * Admits work of clients in turn, a few milliseconds of it per round of the event loop. The requests of a client that
 * sends many wait for each other, and another client's next request waits for one of them, not for all.
 */
export interface FairGate {
  /** Resolves when it is the client's turn; undefined when the client may continue immediately. */
  enter(client: string): Promise<void> | undefined
}

/** The most pieces of work that one round admits, as long as they take no longer than this together. */
const PIECES = 16
const ROUND_MS = 2

export function createFairGate(): FairGate {
  const queues = new Map<string, (() => void)[]>()
  let waiting = 0
  let isTaken = false
  let begunAt = 0

  /** Admits the client that has waited longest; a client with more to do goes to the end of the queue. */
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

  /** Admitted work runs before the next immediate of the round, so the clock then shows how long it took. */
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

/** Reads of long histories that run at once, of all clients. */
const AT_ONCE = 4
/** Of one account, so that other accounts find a place at once. */
const OF_ACCOUNT = 2

/** Creates the turns in which costly reads run. @param mostWaiting Requests in progress, all of which may be such reads. */
export const createCostlyTurns = (mostWaiting: number): SharedTurns =>
  createSharedTurns({
    atOnce: AT_ONCE,
    mostOfAccount: OF_ACCOUNT,
    mostWaiting,
    refuse: () => serverBusy('Too many long answers are being made; try again'),
  })
