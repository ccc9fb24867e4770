import type { Interceptor } from 'slonik'

/** Times that a statement runs without a name. */
const TRIALS = 3
/** Statements that are prepared on each connection: each takes some tens of kilobytes of the server's memory there. */
const MAX_NAMES = 300
const MAX_COUNTED = 3_000

/**
 * Creates an interceptor that has PostgreSQL keep the statements that run often, each once a connection, so that they are not
 * parsed and planned anew each time. Their texts come from the code and are few; a text that is made for one occasion is not
 * kept.
 */
export function createStatementNames(): Interceptor {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  let given = 0

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_NAMES) return known
    const count = (counts.get(text) ?? 0) + 1
    if (count <= TRIALS) {
      if (counts.size >= MAX_COUNTED) counts.clear()
      counts.set(text, count)
      return undefined
    }
    counts.delete(text)
    const name = `s${(given += 1)}`
    names.set(text, name)
    return name
  }

  return {
    name: 'name-statements',
    transformQuery(_, query) {
      const name = nameOf(query.sql)
      return name === undefined ? query : { ...query, name }
    },
    queryExecutionError(_, query, error) {
      // A migration of a newer version changed what the statement answers: it is prepared again, under another name.
      if (/cached plan must not change result type/.test(String(error.cause ?? error.message)))
        names.delete(query.sql)
      return null
    },
  }
}
