import { defineError } from '../service-error.ts'

/** The address of a request for pending activity is not the account's. */
export const ownAddressNotFound = defineError({
  kind: 'not-found',
  message: 'This address is not one of the account’s own',
})

/** The account has the maximum number of subscriptions. */
export const tooManyFollowers = defineError({
  kind: 'too-many-requests',
  retryAfterSeconds: 60,
  example: 'An account is followed 20 times at most',
})
