import { defineError } from '../../service-error.ts'

/** The account has reported as many spends from one pool as its book may store. */
export const toldSpendsFull = defineError({
  code: 'TOLD_SPENDS_FULL',
  kind: 'bad-request',
  meaning: 'The account has told of as many spends from this pool as the service keeps.',
  retry: 'No: spend without telling, by `pool/state` and `/relayer`.',
  fundsState: 'Nothing was locked, and the notes can be spent.',
  example: 'An account tells of 2000 spends from one pool at most',
})
