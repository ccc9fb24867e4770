/**
 * Lets work in by client in turn, one piece in each round of the event loop: what a client asks for in great number waits
 * for itself, and somebody else's next request waits for one piece of it and not for all.
 */
export interface FairGate {
  /** Resolves when it is the client's turn; undefined when it is so at once. */
  enter(client: string): Promise<void> | undefined
}

export function createFairGate(): FairGate {
  const queues = new Map<string, (() => void)[]>()
  let isTaken = false

  /** The client that has waited the longest; with more to do it goes to the end. */
  function letNextIn(): void {
    const [first] = queues
    if (!first) {
      isTaken = false
      return
    }
    const [client, queue] = first
    queues.delete(client)
    const next = queue.shift()
    if (queue.length > 0) queues.set(client, queue)
    setImmediate(letNextIn)
    next?.()
  }

  return {
    enter(client) {
      if (!isTaken) {
        isTaken = true
        setImmediate(letNextIn)
        return undefined
      }
      return new Promise((resolve) => {
        const queue = queues.get(client)
        if (queue) queue.push(resolve)
        else queues.set(client, [resolve])
      })
    },
  }
}
