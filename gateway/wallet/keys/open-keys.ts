import { readBackup } from 'stealth-relay/client'
import { createSecret, deriveWalletKeys } from './derive-wallet-keys.ts'
import { forgetVault, openByPin, saveByPin } from './pin-vault.ts'

/** All that makes and opens keys, in one file for the browser. */
export const KEYRING = {
  createSecret,
  deriveWalletKeys,
  forgetVault,
  openByPin,
  readBackup,
  saveByPin,
} as const
