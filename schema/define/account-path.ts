import { z } from 'zod'

/** The path of everything below an account. The id is lowered in case, because keys are sealed for it as text. */
export const accountPath = z.object({ accountId: z.uuid().toLowerCase() })
