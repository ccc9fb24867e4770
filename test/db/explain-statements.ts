import type { CommonQueryMethods, DatabasePool, QuerySqlToken } from 'slonik'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: readonly Plan[]
}
const planRow = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.custom<Plan>() })) })

/** The result of a statement that finds nothing, by the method that runs it. */
const NOTHING: Record<string, () => unknown> = {
  any: () => [],
  anyFirst: () => [],
  maybeOne: () => null,
  maybeOneFirst: () => null,
  one: () => ({}),
  oneFirst: () => 0,
  exists: () => false,
  query: () => ({ rowCount: 0, rows: [] }),
}

/** The statements that some work would run if each found nothing. None is run. */
async function listStatements(
  work: (connection: CommonQueryMethods) => Promise<unknown>,
): Promise<QuerySqlToken[]> {
  const made: QuerySqlToken[] = []
  const recorder: CommonQueryMethods = new Proxy({} as CommonQueryMethods, {
    get(_, name) {
      if (name === 'transaction') return (part: typeof work) => part(recorder)
      return (statement: QuerySqlToken) => {
        made.push(statement)
        return Promise.resolve(NOTHING[String(name)]?.())
      }
    },
  })
  await work(recorder)
  return made
}

const listScans = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(listScans),
]

/** Tables that PostgreSQL plans to scan sequentially for some work. */
export async function findScannedTables(
  database: DatabasePool,
  work: (connection: CommonQueryMethods) => Promise<unknown>,
): Promise<{ statements: number; scanned: string[] }> {
  const statements = await listStatements(work)
  const scanned: string[] = []
  for (const statement of statements) {
    const explain = { ...sql.type(planRow)``, values: statement.values }
    const answer = await database.one({ ...explain, sql: `explain (format json) ${statement.sql}` })
    const [{ Plan } = { Plan: null }] = answer['QUERY PLAN']
    if (!Plan) throw new Error('PostgreSQL explained nothing')
    scanned.push(...listScans(Plan))
  }
  return { statements: statements.length, scanned }
}
