import pg from 'pg'

/**
 * SQL statements of this process while something runs; the least of several runs, since the service has work of its own.
 *
 * @param about Counts only statements that have this value, such as an account's id.
 */
export async function countStatements(
  run: () => Promise<unknown>,
  { about, rounds = 7 }: { about?: string; rounds?: number } = {},
): Promise<number> {
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const original = prototype.query
  let count = 0
  prototype.query = function counted(...args) {
    if (about === undefined || valuesOf(args).includes(about)) count += 1
    return original.apply(this, args)
  }
  try {
    const counts: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      count = 0
      await run()
      counts.push(count)
    }
    return Math.min(...counts)
  } finally {
    prototype.query = original
  }
}

function valuesOf([statement, values]: unknown[]): unknown[] {
  const given = Array.isArray(values) ? values : (statement as { values?: unknown[] } | null)?.values
  return given ?? []
}
