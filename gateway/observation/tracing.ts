/** The trace of one request. */
export interface RequestTrace {
  /** Runs the work of the request: what it asks of others becomes part of the trace. */
  run<Result>(work: () => Result): Result
  /** Ends the span of the request. @param status The HTTP status of its answer. */
  end(status: number): void
}

/** Something that ended just now: a statement, a question to a node. */
export interface EndedStep {
  name: string
  /** Milliseconds of `performance.now()`. */
  startedAt: number
  isFailed: boolean
  /** Names of OpenTelemetry's conventions where it has one. Values are names, numbers and random ids, never a secret. */
  facts: Readonly<Record<string, string | number>>
}

/**
 * Traces requests for an OpenTelemetry collector. No span has an address, a key, a token or anything else that a client sent,
 * but for the ids of a trace.
 */
export interface RequestTracing {
  /**
   * Begins the trace of a request, or null if it is not sampled.
   *
   * @param request `traceparent`: the header of W3C Trace Context. A valid one names the trace and the parent; without its flag
   * for sampled requests, the request is not traced.
   */
  open(request: {
    operation: string
    requestId: string
    traceparent: string | string[] | undefined
  }): RequestTrace | null
  /** Runs work as a part of the present trace; without a trace it only runs it. */
  part<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Adds a step to the present trace, if there is one. Work that serves everybody belongs to no trace. */
  note(step: EndedStep): void
  /** Records that the present trace waits for a transaction that serves `reference`. */
  awaitTransaction(reference: string): void
  /** Begins the span of a transaction in the present trace, and in those that wait for one of its references. */
  beginTransaction(transaction: {
    id: string
    kind: string
    chainId: number
    serves: readonly string[]
  }): void
  /** Records progress of a transaction. `sent` is an event of its span, everything else its end. */
  noteTransaction(id: string, progress: { status: string; hash?: string }): void
  /** Exports the rest, and ends within seconds. */
  close(): Promise<void>
}
