/**
 * The result of a task. Errors travel as plain data because their own properties are lost between threads. A task never
 * throws, so a rejected task means a lost thread.
 */
export type TaskResult<T> =
  | { ok: true; value: T; cpuMs: number }
  | { ok: false; code: TaskFailure; message: string; stack?: string | undefined; cpuMs: number }

/**
 * `unavailable`: no node or remote signer answered. `unknown-signer`: not one of the configured keys. `internal`: our
 * own fault.
 */
export type TaskFailure = 'unavailable' | 'unknown-signer' | 'internal'

/** A failure that a task reports on purpose. */
export class TaskError extends Error {
  override name = 'TaskError'
  readonly code: TaskFailure

  constructor(code: TaskFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
