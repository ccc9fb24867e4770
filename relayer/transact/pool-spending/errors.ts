import { defineError } from '../../service-error.ts'

/** The account has reported as many spends from one pool as its book may store. */
export const toldSpendsFull = defineError({
  code: 'TOLD_SPENDS_FULL',
  kind: 'bad-request',
  meaning: 'The account has reported the maximum number of spends from this pool.',
  retry: 'No: spend without a report, by `pool/state` and `/relayer`.',
  fundsState: 'Nothing was locked, and the notes can be spent.',
  example: 'An account can report at most 2000 spends from one pool',
})
