import { BackendTerminatedError, BackendTerminatedUnexpectedlyError, ConnectionError } from 'slonik'

/** SQLSTATE of a full disk. */
const DISK_FULL = '53100'
/** slonik's errors for a lost connection. */
const LOST = [BackendTerminatedError, BackendTerminatedUnexpectedlyError, ConnectionError]

/** True if a statement failed because the database could not be reached, or closed the connection. */
export const isDatabaseLost = (error: unknown): boolean =>
  hasCause(error, (cause) => LOST.some((lost) => cause instanceof lost))

/** True if a statement failed because the disk of the database is full. */
export const isDiskFull = (error: unknown): boolean =>
  hasCause(error, (cause) => (cause as { code?: unknown } | null)?.code === DISK_FULL)

/** True if an error or one of its causes fits. */
export function hasCause(error: unknown, fits: (cause: unknown) => boolean): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (fits(cause)) return true
  return false
}
