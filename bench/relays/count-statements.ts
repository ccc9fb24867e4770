import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import pg from 'pg'

/**
 * Loaded before the service (`node --import`). Counts its statements at the PostgreSQL driver, where every statement passes,
 * and writes the count to the file that `STATEMENT_COUNT` names.
 */
const WRITTEN_EVERY_MS = 100

const file = process.env['STATEMENT_COUNT']
if (file && isMainThread) {
  let count = 0
  let written = 0
  const { prototype } = pg.Client
  const ask = prototype.query as (...given: unknown[]) => unknown
  prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
    count += 1
    return ask.apply(this, given)
  } as typeof prototype.query
  setInterval(() => {
    if (count === written) return
    written = count
    writeFileSync(file, String(count))
  }, WRITTEN_EVERY_MS).unref()
}

/** Reads a service's count of statements, a tenth of a second old. */
export const readStatementCount = (path: string): number => Number(readFileSync(path, 'utf8'))
