import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import pg from 'pg'

/**
 * Loaded before the service (`node --import`): counts what it asks PostgreSQL at the driver, where every statement passes,
 * and keeps the count in the file that `STATEMENT_COUNT` names.
 */
const WRITTEN_EVERY_MS = 100

const file = process.env['STATEMENT_COUNT']
if (file && isMainThread) {
  let [count, written] = [0, 0]
  const { prototype } = pg.Client
  const ask = prototype.query as (...given: unknown[]) => unknown
  prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
    count += 1
    return ask.apply(this, given)
  } as typeof prototype.query
  setInterval(() => {
    if (count > written) writeFileSync(file, String((written = count)))
  }, WRITTEN_EVERY_MS).unref()
}

/** What a service has asked so far, a tenth of a second ago. */
export const readStatementCount = (path: string): number => Number(readFileSync(path, 'utf8'))
