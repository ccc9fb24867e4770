import type { Address } from 'viem'
import type { Client } from 'stealth-relay/client'
import type { showCall } from 'stealth-relay/client/clear-signing'
import { findChain } from '../read-settings.ts'

/** Names of tokens and chains, for the words of a descriptor. */
export const namesOf = (client: Client): Parameters<typeof showCall>[2] => ({
  resolveToken: async (chainId, address) =>
    client.call('tokenLookup', { query: { chainId, address: address as Address } }).catch(() => null),
  resolveChainInfo: async (chainId) => {
    const chain = findChain(chainId)
    if (!chain) return null
    const { name, nativeSymbol: symbol } = chain
    return { name, nativeCurrency: { name: symbol, symbol, decimals: 18 } }
  },
})
