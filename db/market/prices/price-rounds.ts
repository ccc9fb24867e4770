import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

/**
 * Claims the next round of price requests if it is due. Of several instances one gets true; the next round is due after
 * `everyMs`.
 */
export async function claimRound(
  connection: CommonQueryMethods,
  name: string,
  everyMs: number,
): Promise<boolean> {
  const claimed = await connection.any(sql.type(z.object({ name: z.string() }))`
    insert into price_round (name, next_at)
    values (${name}, now() + make_interval(secs => ${everyMs / 1_000}))
    on conflict (name) do update set next_at = excluded.next_at where price_round.next_at <= now()
    returning name`)
  return claimed.length > 0
}
