import type { CommonQueryMethods, FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { sql } from './connect-database.ts'
import { workForAll } from './divide-connections.ts'

/** Time that a question waits to be batched with others. */
const GATHERED_MS = 4

interface Waiting {
  question: FragmentSqlToken
  resolve(answer: unknown): void
  reject(error: unknown): void
}

const answers = z.object({ answers: z.array(z.unknown()) })
const waitingOf = new WeakMap<CommonQueryMethods, Waiting[]>()

/**
 * Batches frequent questions that can wait some milliseconds into one statement. The questions of a batch share a
 * snapshot, and fail together.
 * @param question Selects one jsonb value, which `shape` parses.
 */
export async function askInOneStatement<Shape extends z.ZodType>(
  connection: CommonQueryMethods,
  question: FragmentSqlToken,
  shape: Shape,
): Promise<z.output<Shape>> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  let waiting = waitingOf.get(connection)
  if (!waiting) {
    waiting = []
    waitingOf.set(connection, waiting)
    setTimeout(() => void workForAll(() => askAll(connection)), GATHERED_MS)
  }
  waiting.push({ question, resolve, reject })
  return shape.parse(await promise)
}

async function askAll(connection: CommonQueryMethods): Promise<void> {
  const waiting = waitingOf.get(connection) ?? []
  waitingOf.delete(connection)
  // Sorted, so that equal sets of questions give one statement text, which is prepared once.
  const asked = waiting.toSorted((one, other) => (one.question.sql < other.question.sql ? -1 : 1))
  try {
    const given = await connection.oneFirst(sql.type(answers)`
      select jsonb_build_array(${sql.join(
        asked.map(({ question }) => sql.fragment`(${question})`),
        sql.fragment`, `,
      )}) as answers`)
    for (const [place, { resolve }] of asked.entries()) resolve(given[place])
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}
