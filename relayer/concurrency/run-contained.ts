import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
} from 'slonik'

/** No row is to blame for these: the same work may succeed a moment later. */
const PASSING = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
]
/** SQLSTATE classes: connection, lost to another transaction, resources, intervention, system; and the system's own codes. */
const PASSING_CODES = /^(?:08|40|53|57|58|E[A-Z])/

/**
 * Does work for many items in one transaction. If it fails, each half runs on its own, until only the items that fail alone
 * are left out. A bad item does not stop the others.
 * @param run One transaction, or one savepoint of the caller's transaction. A failure must leave nothing behind.
 * @param skipped Called with each item that is left out, and its error.
 * @returns The results of the successful runs.
 * @throws Error when the database cannot be reached now.
 */
export async function runContained<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  items: readonly Item[],
  skipped: (error: unknown, item: Item) => Promise<void> | void,
): Promise<readonly Result[]> {
  const [first] = items
  if (first === undefined) return []
  try {
    return await run(items)
  } catch (error) {
    if (isPassing(error)) throw error
    if (items.length === 1) {
      await skipped(error, first)
      return []
    }
  }
  const middle = Math.ceil(items.length / 2)
  const before = await runContained(run, items.slice(0, middle), skipped)
  return [...before, ...(await runContained(run, items.slice(middle), skipped))]
}

/** The part of a failure that a log may contain: the values of its statement name addresses. */
export function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error
  const code = codeOf(error)
  return code === null ? name : `${name} ${code}`
}

const isPassing = (error: unknown): boolean =>
  PASSING.some((sort) => error instanceof sort) || PASSING_CODES.test(codeOf(error) ?? '')

/** The SQLSTATE that the database gave, or the code of the system; null where there is none. */
function codeOf(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string' && /^(?:[0-9A-Z]{5}|E[A-Z_]+)$/.test(code)) return code
  }
  return null
}

/** Waits for work that takes no signal; rejects with the signal's reason when that comes first. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Longer than V8's compilations on other threads take. */
const SETTLE_MS = 100

/**
 * Ends the program after a moment. A program that ends at once, by `process.exit` or because no work is left, may hang for
 * ever. Node waits for the threads that compile, and they may wait for the main thread to collect garbage
 * (nodejs/node#54918). They finish while the event loop rests.
 *
 * @param code Exit code of the process.
 */
export function exitProcess(code: number): void {
  process.exitCode = code
  setTimeout(() => process.exit(), SETTLE_MS)
}
