/** Milliseconds between two probes of a silent node. */
const PROBE_EVERY_MS = 1_000

/** Tracks whether a node has stopped answering, so that requests go to other nodes. */
export interface Silence {
  /** True while the node counts as silent. Probes it at intervals. */
  lasts(): boolean
  /** Records any answer, errors included. */
  answered(): void
  /** Records that a request sent at `since` (milliseconds of `performance.now()`) timed out. */
  timedOut(since: number): void
}

/**
 * Remembers that a node is silent, because a hanging node would cost each request the whole time limit. A node that answered
 * anything since the request was sent is slow, not silent.
 *
 * @param probe Sends the node a cheap request; rejects when no answer comes in time.
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
