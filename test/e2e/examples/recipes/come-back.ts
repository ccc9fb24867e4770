import { deriveSharedKeys, listStealthAddresses, type Client, type WalletKeys } from 'stealth-relay/client'
import { depositPrecommitment, noteMasterOf, notePhrase } from 'stealth-relay/client/pool'

export function comeBack(client: Client, keys: WalletKeys, scope: bigint) {
  // Without the service: the account, its addresses, and the words of its pool notes.
  const { authAddress } = deriveSharedKeys(keys)
  const addresses = listStealthAddresses(keys, { count: 3 })
  const { mnemonic } = notePhrase(keys.spendKey, keys.viewKey)
  return { authAddress, addresses, mnemonic, next: depositPrecommitment(noteMasterOf(client), scope, 0n) }
}
