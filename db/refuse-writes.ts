import { AsyncLocalStorage } from 'node:async_hooks'
import type { Interceptor } from 'slonik'

/** Whether what runs may only read. */
const reading = new AsyncLocalStorage<boolean>()

/** Does work that only reads: a statement of it that writes, or that locks rows, fails with {@link WriteInReadError}. */
export const onlyReading = <Result>(work: () => Result): Result => reading.run(true, work)

/**
 * Does work that may write, also as part of what only reads. For what a read learns of the world and keeps for all, such as
 * the name of a token; for what is due anyway, such as the end of locks; and for what a standard hands out by GET: the sign-in
 * nonce, and the fresh address of a name.
 */
export const mayWrite = <Result>(work: () => Result): Result => reading.run(false, work)

/** A statement that writes, in work that only reads. */
export class WriteInReadError extends Error {
  override name = 'WriteInReadError'
}

/** Functions of the database that write or lock, as their volatility says; a test compares them with its catalogue. */
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
] as const

/** What a transaction of PostgreSQL refuses that is `read only`, as far as our statements have it. */
const WRITES = new RegExp(
  [
    String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate|create|alter|drop)\b`,
    String.raw`\bupdate\s+(?:only\s+)?[\w."]+(?:\s+(?:as\s+)?\w+)?\s+set\b`,
    String.raw`\bfor\s+(?:no\s+key\s+update|update|key\s+share|share)\b`,
    String.raw`\b(?:nextval|setval|${WRITING_FUNCTIONS.join('|')})\s*\(`,
  ].join('|'),
  'i',
)

/** Creates an interceptor that refuses statements that write in work that only reads. Statements are judged by their text. */
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
