import { z } from 'zod'
import { described, parameters } from './shape.ts'

/** The path of everything below an account. The id is lower-cased, because keys are sealed for it as text. */
export const accountPath = parameters({
  accountId: described(z.uuid().toLowerCase(), 'Id of the account: that of the token, any other is refused.'),
})
