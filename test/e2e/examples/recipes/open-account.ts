import { openClient, type KnownChain, type WalletKeys } from 'stealth-relay/client'

export function openAccount(url: string, keys: WalletKeys, chain: KnownChain) {
  // Signs in; creates the account where there is none. The token is renewed by itself.
  return openClient({ url, ...keys, chains: [chain] })
}
