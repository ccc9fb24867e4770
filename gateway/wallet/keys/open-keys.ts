/** All that makes and opens keys, in one file for the browser. */
export { readBackup } from 'stealth-relay/client'
export { createSecret, deriveWalletKeys } from './derive-wallet-keys.ts'
export { forgetVault, openByPin, saveByPin } from './pin-vault.ts'
