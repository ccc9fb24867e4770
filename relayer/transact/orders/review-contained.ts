import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
} from 'slonik'

/** No row is to blame for these: the same review may go through a moment later. */
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
 * Reviews depositors in one transaction, and where that fails each half on its own, until those alone are left out whose own
 * orders cannot be reviewed: what a stranger wrote into the chain stops no other order.
 * @param skipped Called with the error of each depositor who is left out.
 * @returns The quotes whose orders have changed.
 * @throws Error when the database cannot be asked now.
 */
export async function reviewContained(
  review: (depositors: readonly string[]) => Promise<readonly string[]>,
  depositors: readonly string[],
  skipped: (error: unknown) => void,
): Promise<readonly string[]> {
  try {
    return await review(depositors)
  } catch (error) {
    if (isPassing(error)) throw error
    if (depositors.length <= 1) {
      skipped(error)
      return []
    }
  }
  const middle = Math.ceil(depositors.length / 2)
  const first = await reviewContained(review, depositors.slice(0, middle), skipped)
  return [...first, ...(await reviewContained(review, depositors.slice(middle), skipped))]
}

/** What a log may say of a failed review: the values of its statement name addresses. */
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
