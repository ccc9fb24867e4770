import { defineError } from '../../../service-error.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'

/** The address does not belong to the account. */
export const notOwnAddress = defineError({
  code: 'NOT_OWN_ADDRESS',
  kind: 'forbidden',
  meaning: '`connectedAddress` is not an address of the account.',
  retry: 'With the address that the app knows.',
  fundsState: UNTOUCHED,
  message: 'connectedAddress: expected an address of the account',
})

/** A call goes to an address of the account or to the contracts that run it. */
export const callToOwnAccount = defineError({
  code: 'CALL_TO_OWN_ACCOUNT',
  kind: 'bad-request',
  about: 'calls',
  meaning:
    'A call goes to an address of the account, or to a contract that runs it: it could give an app control of the address, or link addresses.',
  retry: 'Without that call.',
  fundsState: UNTOUCHED,
  example: 'calls.0.to: an app may not call the account itself',
})
