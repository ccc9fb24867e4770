/** Failures in a row after which a node counts as silent. */
const SILENT_AFTER = 3
/** Answers that weigh as much as all earlier ones in the average time. */
const SMOOTHED_OVER = 8

/** How a node has answered so far. */
export interface NodeRecord {
  /** Requests with a usable answer, refusals included. */
  answers: number
  /** Requests without one. */
  errors: number
  /** Milliseconds that an answer takes, a moving average; null before the first. */
  answerMs: number | null
  /** Milliseconds since the epoch; null before the first answer. */
  answeredAt: number | null
  /** Why the last request had no answer; null before the first failure. */
  lastError: string | null
}

/** Keeps the record of one node. */
export interface NodeDiary {
  noteAnswer(durationMs: number): void
  /** @param reason In words, without a URL. */
  noteFailure(reason: string): void
  read(): NodeRecord
  /** Why the node counts as silent; null while it answers. */
  findSilence(): string | null
}

/** Creates an empty record. */
export function createNodeDiary(): NodeDiary {
  const record: NodeRecord = { answers: 0, errors: 0, answerMs: null, answeredAt: null, lastError: null }
  let failuresInARow = 0
  return {
    noteAnswer(durationMs) {
      failuresInARow = 0
      record.answers += 1
      record.answeredAt = Date.now()
      record.answerMs =
        record.answerMs === null
          ? durationMs
          : record.answerMs + (durationMs - record.answerMs) / SMOOTHED_OVER
    },
    noteFailure(reason) {
      failuresInARow += 1
      record.errors += 1
      record.lastError = reason
    },
    read: () => ({ ...record }),
    findSilence: () =>
      failuresInARow < SILENT_AFTER ? null : `does not answer: ${record.lastError ?? 'no reason'}`,
  }
}
