import type { CommonQueryMethods, DatabasePool, QuerySqlToken } from 'slonik'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'

interface Plan {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}
const planRow = z.object({ 'QUERY PLAN': z.array(z.object({ Plan: z.custom<Plan>() })) })

/** The statements of a read, each with the number of 8 KiB pages that PostgreSQL touches, which does not depend on load. */
export async function measureReads(
  database: DatabasePool,
  read: (connection: CommonQueryMethods) => Promise<unknown>,
): Promise<{ statements: number; pages: number }> {
  const made: QuerySqlToken[] = []
  const recorder = new Proxy<CommonQueryMethods>(database, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (statement: QuerySqlToken) => {
        made.push(statement)
        return Reflect.apply(method, target, [statement])
      }
    },
  })
  await read(recorder)
  let pages = 0
  for (const statement of made) {
    const explained = { ...sql.type(planRow)``, values: statement.values }
    const rows = await database.one({
      ...explained,
      sql: `explain (analyze, buffers, format json) ${statement.sql}`,
    })
    const [{ Plan } = { Plan: null }] = rows['QUERY PLAN']
    if (!Plan) throw new Error('PostgreSQL explained nothing')
    pages += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
  }
  return { statements: made.length, pages }
}
