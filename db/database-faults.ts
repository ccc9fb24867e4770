import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  type DatabasePool,
  type Interceptor,
} from 'slonik'

/** SQLSTATE of a full disk. */
const DISK_FULL = '53100'
/** slonik's errors for a lost connection. */
const LOST = [BackendTerminatedError, BackendTerminatedUnexpectedlyError, ConnectionError]

/** Faults that the statements of a pool met. */
interface MetFaults {
  /** Milliseconds of `performance.now()` of the last statement that failed for want of space. */
  fullAt: number
  /** The same for a lost connection. */
  lostAt: number
}

const met = new WeakMap<DatabasePool, MetFaults>()

/** Creates the interceptor that remembers faults; `attach` makes them those of a pool. */
export function createFaultMemory(): { interceptor: Interceptor; attach(pool: DatabasePool): void } {
  const faults: MetFaults = { fullAt: -Infinity, lostAt: -Infinity }
  return {
    interceptor: {
      name: 'remember-faults',
      queryExecutionError(_context, _query, error) {
        if (isDiskFull(error)) faults.fullAt = performance.now()
        if (isDatabaseLost(error)) faults.lostAt = performance.now()
        return null
      },
    },
    attach: (pool) => void met.set(pool, faults),
  }
}

/** Returns the faults that the statements of a pool met. */
export const readMetFaults = (pool: DatabasePool): Readonly<MetFaults> =>
  met.get(pool) ?? { fullAt: -Infinity, lostAt: -Infinity }

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
