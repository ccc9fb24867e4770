// SPDX-License-Identifier: MIT
import type { Address } from 'viem'
import type { ChainContracts } from '../chain/known-chain.ts'
import { sealText, unsealText, type SealedText } from '../keys/seal-text.ts'
import type { WalletKeys } from '../keys/stealth-keys.ts'

/** A chain in a backup: with its contracts, notes of pools are found when the service is gone. */
export interface BackupChain extends Pick<ChainContracts, 'entrypoint' | 'wrapped' | 'carried'> {
  chainId: number
  /** Of cash-outs, where the wallet makes them. */
  escrow?: Address
  /** For people. */
  name: string
  nativeSymbol: string
}

/** The content of a backup. */
export interface Backup {
  keys: WalletKeys
  /** Empty in backups of earlier versions. */
  chains: readonly BackupChain[]
}

/** The file, as JSON; its members of {@link SealedText} hold the content. */
interface BackupFile extends SealedText {
  format: 'stealth-wallet-backup'
  version: 1
}

const KEY = /^0x[0-9a-f]{64}$/

/** @returns The text of a file with the content, encrypted by the password. */
export async function writeBackup({ keys, chains }: Backup, password: string): Promise<string> {
  const { spendKey, viewKey } = keys
  const content = JSON.stringify({ spendKey, viewKey, chains: chains.map(pickMembers) })
  const sealed = await sealText(content, new TextEncoder().encode(password))
  return JSON.stringify(
    { format: 'stealth-wallet-backup', version: 1, ...sealed } satisfies BackupFile,
    null,
    2,
  )
}

/** @returns The content; null if the text is no backup, or has another password. */
export async function readBackup(text: string, password: string): Promise<Backup | null> {
  try {
    const file = JSON.parse(text) as BackupFile
    if (file.format !== 'stealth-wallet-backup') return null
    const content = await unsealText(file, new TextEncoder().encode(password))
    const { chains = [], ...keys } = JSON.parse(content) as WalletKeys & { chains?: BackupChain[] }
    return KEY.test(keys.spendKey) && KEY.test(keys.viewKey) ? { keys, chains } : null
  } catch {
    return null
  }
}

/** A wallet's record of a chain has more. */
const pickMembers = (chain: BackupChain): BackupChain => {
  const { chainId, name, nativeSymbol, entrypoint, escrow, wrapped, carried } = chain
  return {
    chainId,
    name,
    nativeSymbol,
    ...(entrypoint && { entrypoint }),
    ...(escrow && { escrow }),
    ...(wrapped && { wrapped }),
    ...(carried && { carried }),
  }
}
