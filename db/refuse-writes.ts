import { AsyncLocalStorage } from 'node:async_hooks'
import type { Interceptor } from 'slonik'

/** True while the current work may only read. */
const reading = new AsyncLocalStorage<boolean>()

/** Runs read-only work: a statement that writes or locks rows fails with {@link WriteInReadError}. */
export const onlyReading = <Result>(work: () => Result): Result => reading.run(true, work)

/**
 * Runs work that may write, even inside read-only work. For facts that a read stores for everybody, such as a token's
 * name; for work that is due anyway, such as the end of locks. Also for answers that a standard returns to GET: the
 * sign-in nonce, and the fresh address of a name.
 */
export const mayWrite = <Result>(work: () => Result): Result => reading.run(false, work)

/** A statement that writes, in read-only work. */
export class WriteInReadError extends Error {
  override name = 'WriteInReadError'
}

/** Functions of the database that write or lock, by their volatility; a test compares them with its catalogue. */
export const WRITING_FUNCTIONS = [
  'demand_lasting_root',
  'fitting_gas',
  'fold_totals',
  'folding_horizon',
  'reserve_funds',
  'submit_quote',
  'take_gas',
  'tell_account_changes',
  'write_account_deposits',
  'write_account_events',
] as const

/** Statements that a `read only` transaction of PostgreSQL refuses, among the forms used here. */
const WRITES = new RegExp(
  [
    String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate|create|alter|drop)\b`,
    String.raw`\bupdate\s+(?:only\s+)?[\w."]+(?:\s+(?:as\s+)?\w+)?\s+set\b`,
    String.raw`\bfor\s+(?:no\s+key\s+update|update|key\s+share|share)\b`,
    String.raw`\b(?:nextval|setval|${WRITING_FUNCTIONS.join('|')})\s*\(`,
  ].join('|'),
  'i',
)

/** Creates an interceptor that refuses writing statements in read-only work, judged by their text. */
export function createWriteRefusal(): Interceptor {
  return {
    name: 'refuse-writes',
    transformQuery(_, query) {
      if (reading.getStore() && WRITES.test(query.sql))
        throw new WriteInReadError(
          `A read may not write: ${query.sql.trim().replaceAll(/\s+/g, ' ').slice(0, 200)}`,
        )
      return query
    },
  }
}
