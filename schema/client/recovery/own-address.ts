// SPDX-License-Identifier: MIT
import { hexToBytes, type Address } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { deriveSharedKeys, deriveStealthAccount, type WalletKeys } from '../keys/stealth-keys.ts'

/** An address of the wallet. Its nonce is null where it is the account's own, which holds money only by mistake. */
export interface OwnAddress {
  nonce: number | null
  address: Address
}

/** The key of an address of the wallet. */
export function deriveOwner(keys: WalletKeys, { nonce }: OwnAddress): PrivateKeyAccount {
  if (nonce === null) return privateKeyToAccount(keys.spendKey)
  return deriveStealthAccount(keys.spendKey, hexToBytes(deriveSharedKeys(keys).childViewKey), BigInt(nonce))
}
