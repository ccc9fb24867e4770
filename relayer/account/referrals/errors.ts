import { defineError } from '../../service-error.ts'

/** The operator offers no referral programme. */
export const noReferralProgramme = defineError({
  kind: 'forbidden',
  message: 'There is no referral programme at present',
})

/** No account refers by that name or code. */
export const referrerNotFound = defineError({
  kind: 'not-found',
  message: 'No account has that referral code',
})

/** The account came without a referral. */
export const attributionNotFound = defineError({
  kind: 'not-found',
  message: 'This account has no referrer',
})
