import type { DatabasePool } from 'slonik'
import { z } from 'zod'
import { sql } from './connect-database.ts'

const PATIENCE_MS = 2_000

/** Whether the database answers within two seconds. */
export async function isDatabaseReachable(pool: DatabasePool): Promise<boolean> {
  const answered = pool.one(sql.type(z.object({ one: z.number() }))`select 1::int4 as one`).then(
    () => true,
    () => false,
  )
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), PATIENCE_MS)
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}
