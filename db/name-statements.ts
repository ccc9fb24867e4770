import type { Interceptor } from 'slonik'

/** Runs of a statement before it gets a name. */
const TRIALS = 3
/** Most prepared statements per connection: each takes some tens of kilobytes of the server's memory. */
const MAX_NAMES = 300
const MAX_COUNTED = 3_000

/**
 * Creates an interceptor that names frequent statements, so that PostgreSQL prepares each once per connection instead
 * of parsing and planning it anew. Statement texts come from the code and are few; a text built for one occasion is not
 * prepared.
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
      // A newer version's migration changed the statement's result type: it is prepared again under another name.
      if (/cached plan must not change result type/.test(String(error.cause ?? error.message)))
        names.delete(query.sql)
      return null
    },
  }
}
