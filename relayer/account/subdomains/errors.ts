import { defineError } from '../../service-error.ts'

/** Another account has the name, or it is blocked. */
export const nameNotAvailable = defineError({ kind: 'conflict', message: 'This name is not available' })

/** An account has one name, for good. */
export const accountHasName = defineError({ kind: 'conflict', message: 'This account has a name already' })

/** The gateway answers only for names below its parent name. */
export const nameNotServed = defineError({
  kind: 'not-found',
  example: 'This service answers for other names',
})

/** A name gives out a limited number of addresses an hour. */
export const nameLookupsExhausted = defineError({
  code: 'NAME_LOOKUPS_EXHAUSTED',
  kind: 'too-many-requests',
  meaning: 'The name was looked up so often in the last hour that no address is left for a new asker.',
  retry: 'After `Retry-After` seconds.',
  message: 'This name has been looked up too often; try again later',
})
