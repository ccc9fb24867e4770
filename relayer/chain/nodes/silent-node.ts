/** Until a silent node has answered, it is asked again this often. */
const PROBE_EVERY_MS = 1_000

/** Whether a node has stopped answering; other nodes are asked meanwhile. */
export interface Silence {
  /** True while the node is taken for silent. Has the node asked again now and then. */
  lasts(): boolean
  /** Something came back, be it an error. */
  answered(): void
  /** What was asked at `since` (milliseconds of `performance.now()`) got no answer in time. */
  timedOut(since: number): void
}

/**
 * Remembers that a node does not answer: a hanging node would otherwise cost each question the whole time limit. A node
 * that answered anything since the question was asked is slow, and not silent.
 * @param probe Asks the node a cheap question; rejects when no answer comes in time.
 */
export function createSilence(probe: () => Promise<unknown>): Silence {
  let isSilent = false
  let answeredAt = -Infinity
  let probedAt = -Infinity
  let isProbing = false

  function ask(): void {
    if (isProbing || performance.now() - probedAt < PROBE_EVERY_MS) return
    isProbing = true
    probedAt = performance.now()
    probe()
      .then(
        () => (isSilent = false),
        () => undefined,
      )
      .finally(() => (isProbing = false))
  }

  return {
    lasts() {
      if (isSilent) ask()
      return isSilent
    },
    answered() {
      answeredAt = performance.now()
      isSilent = false
    },
    timedOut(since) {
      if (answeredAt >= since) return
      isSilent = true
      ask()
    },
  }
}
