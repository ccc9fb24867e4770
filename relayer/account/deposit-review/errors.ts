import { defineError } from '../../service-error.ts'

/** The skip names more than has happened, or an address that has nothing to skip. */
export const skipUnseen = defineError({
  code: 'REVIEW_SKIP_UNSEEN',
  kind: 'bad-request',
  meaning:
    'The skip names a later receipt or more receipts than the address has, or the address is not in the review.',
  retry: 'With `lastReceivedAt` and `rawReceiveCount` of the item as it is shown.',
  message: 'The address has not been paid as the skip says',
})
