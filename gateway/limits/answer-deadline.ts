import { answerLate } from '../../relayer/errors.ts'

/**
 * Parts of the time after which work is asked to end by itself, single operations are given up, and the whole answer is.
 * Each leaves the one before it time to be written.
 */
const STAGES = { near: 0.9, operation: 0.95, answer: 1 } as const

type Stage = keyof typeof STAGES

/** Bounds the time until a request is answered. A stream is answered once it begins; then nothing is bounded any more. */
export interface AnswerDeadline {
  /** Calls the listener at a stage. It gets the error that the client gets in the end. */
  on(stage: Stage, listener: (late: Error) => void): void
  /**
   * Waits for work until a stage.
   * @throws ServiceError 503 ANSWER_LATE then. The work goes on.
   */
  bound<Result>(stage: Stage, work: Promise<Result>): Promise<Result>
  /** Waits for the client, for instance for its body. Then the whole time begins anew. */
  besides<Result>(wait: () => Promise<Result>): Promise<Result>
  /** Ends it: there is an answer. */
  close(): void
}

/** Opens a deadline that begins now. */
export function openDeadline(answerWithinMs: number): AnswerDeadline {
  const listeners: Record<Stage, ((late: Error) => void)[]> = { near: [], operation: [], answer: [] }
  const stages = Object.keys(STAGES) as Stage[]
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function arm(place: number, passedMs: number): void {
    const stage = stages[place]
    if (stage === undefined || isClosed) return
    const atMs = answerWithinMs * STAGES[stage]
    timer = setTimeout(() => {
      arm(place + 1, atMs)
      for (const listener of listeners[stage]) listener(answerLate())
    }, atMs - passedMs)
  }

  function on(stage: Stage, listener: (late: Error) => void): void {
    if (!isClosed) listeners[stage].push(listener)
  }

  arm(0, 0)
  return {
    on,
    bound(stage, work) {
      if (isClosed) return work
      const { promise, reject } = Promise.withResolvers<never>()
      on(stage, reject)
      return Promise.race([work, promise])
    },
    async besides(wait) {
      clearTimeout(timer)
      try {
        return await wait()
      } finally {
        arm(0, 0)
      }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
