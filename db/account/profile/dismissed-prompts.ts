import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const dismissedPromptTable = byAccount('dismissed_prompt')

const dismissalRow = z.object({ dismissedAt: z.date() })

/** Records a dismissal. Returns its time; the first dismissal counts. */
export async function dismissPrompt(
  connection: CommonQueryMethods,
  accountId: string,
  promptId: string,
): Promise<Date> {
  // An update without a change, so that an existing row is returned too.
  const { dismissedAt } = await connection.one(sql.type(dismissalRow)`
    insert into dismissed_prompt (account_id, prompt_id) values (${accountId}, ${promptId})
    on conflict (account_id, prompt_id) do update set dismissed_at = dismissed_prompt.dismissed_at
    returning dismissed_at as "dismissedAt"`)
  return dismissedAt
}
