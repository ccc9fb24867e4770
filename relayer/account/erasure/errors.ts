import { defineError } from '../../service-error.ts'

/** An account with pending payments cannot be deleted. */
export const quotesUnderWay = defineError({
  kind: 'conflict',
  example: '2 of the account’s quotes are under way; wait or unlock them',
})
