import type { WalletKeys } from 'stealth-relay/client'
import { sealText, unsealText, type SealedText } from './seal-text.ts'

/** A backup file, as JSON: the two keys of section 1 of PROTOCOL.md, encrypted by a password. */
interface Backup extends SealedText {
  format: 'stealth-wallet-backup'
  version: 1
}

const KEY = /^0x[0-9a-f]{64}$/

/** @returns The text of the file. */
export async function writeBackup(keys: WalletKeys, password: string): Promise<string> {
  const sealed = await sealText(JSON.stringify(keys), new TextEncoder().encode(password))
  return JSON.stringify({ format: 'stealth-wallet-backup', version: 1, ...sealed } satisfies Backup, null, 2)
}

/** @returns The keys; null if the text is no backup, or has another password. */
export async function readBackup(text: string, password: string): Promise<WalletKeys | null> {
  try {
    const backup = JSON.parse(text) as Backup
    if (backup.format !== 'stealth-wallet-backup') return null
    const keys = JSON.parse(await unsealText(backup, new TextEncoder().encode(password))) as WalletKeys
    return KEY.test(keys.spendKey) && KEY.test(keys.viewKey) ? keys : null
  } catch {
    return null
  }
}
