import { defineError } from '../../service-error.ts'

/** The operator refuses the app. */
export const appBlocked = defineError({
  code: 'APP_BLOCKED',
  kind: 'forbidden',
  about: 'origin',
  meaning: 'The operator refuses this app: it gets no address and no quote.',
  retry: 'No.',
  message: 'This app is blocked',
})

/** The address is known to another app, or the app knows another address. */
export const addressOfAnotherApp = defineError({
  code: 'ADDRESS_OF_ANOTHER_APP',
  kind: 'conflict',
  about: 'connectedAddress',
  meaning:
    'Another app knows the address, or this app knows another one of the account: using it would reveal that both belong to one person.',
  retry: 'With the address that `dapp-addresses` has for this app.',
  fundsState: 'Nothing was sent and nothing was locked.',
  message: 'The app knows another address of this account, or another app knows this one',
})

/** The account has addresses for the maximum number of apps. */
export const tooManyApps = defineError({
  code: 'TOO_MANY_APPS',
  kind: 'bad-request',
  meaning: 'The account has addresses for the maximum number of apps.',
  retry: 'No.',
  message: 'The account has addresses for 1,000 apps, which is the maximum',
})
