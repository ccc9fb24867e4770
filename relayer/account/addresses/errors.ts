import { defineError } from '../../service-error.ts'

/** The keys of the account do not derive the stored addresses. */
export const addressesOfOtherKeys = defineError({
  kind: 'conflict',
  example: 'Stored addresses from nonce 0 on are not those of the keys',
})
