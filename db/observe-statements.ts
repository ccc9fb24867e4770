import { channel } from 'node:diagnostics_channel'
import type { Interceptor } from 'slonik'

/** One statement that ended. */
export interface EndedStatement {
  /** Verb and table, such as `insert quote`; never a value. */
  statement: string
  /** Milliseconds of `performance.now()` at which it was sent. */
  startedAt: number
  isFailed: boolean
}

/** Channel with every statement of this process; messages are {@link EndedStatement}, in the context of their caller. */
export const endedStatements = channel('db.ended-statements')

/** Not the `update` of a lock, nor that of an upsert. */
const CHANGE =
  /\b(insert)\s+into\s+(\w+)|(?<!\b(?:for|do|key)\s+)\b(update)\s+(?:only\s+)?(\w+)\s|\b(delete)\s+from\s+(\w+)/i
const READ = /\bfrom\s+(?:only\s+)?(\w+)/i
const MOST_NAMES = 3_000

/** Returns verb and table of a statement; the first change counts where it has several parts. */
export function nameStatement(text: string): string {
  const [, insert, into, update, updated, remove, from] = CHANGE.exec(text) ?? []
  const verb = insert ?? update ?? remove
  if (verb) return `${verb.toLowerCase()} ${into ?? updated ?? from}`
  const [, table] = READ.exec(text) ?? []
  return table ? `select ${table}` : 'other'
}

/** Creates the interceptor that publishes statements on {@link endedStatements}. It costs nothing while nobody listens. */
export function createStatementObserver(): Interceptor {
  const names = new Map<string, string>()

  function nameOf(text: string): string {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= MOST_NAMES) names.clear()
    const name = nameStatement(text)
    names.set(text, name)
    return name
  }

  function publish(sql: string, sentAt: bigint | number, isFailed: boolean): null {
    if (!endedStatements.hasSubscribers) return null
    const tookMs = Number(process.hrtime.bigint() - BigInt(sentAt)) / 1e6
    const ended: EndedStatement = {
      statement: nameOf(sql),
      startedAt: performance.now() - tookMs,
      isFailed,
    }
    endedStatements.publish(ended)
    return null
  }

  return {
    name: 'observe-statements',
    afterQueryExecution: ({ queryInputTime }, { sql }) => publish(sql, queryInputTime, false),
    queryExecutionError: ({ queryInputTime }, { sql }) => publish(sql, queryInputTime, true),
  }
}
