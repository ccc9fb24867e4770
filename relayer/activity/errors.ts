import { defineError } from '../service-error.ts'

/** Pending activity was asked for an address that is not the account's. */
export const ownAddressNotFound = defineError({
  kind: 'not-found',
  message: 'This address is not one of the account’s own',
})

/** An account has as many subscriptions as it may. */
export const tooManyFollowers = defineError({
  kind: 'too-many-requests',
  retryAfterSeconds: 60,
  example: 'An account is followed 20 times at most',
})
