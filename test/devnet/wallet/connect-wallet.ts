import { createPublicClient, createWalletClient, defineChain, http, type Chain, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A client's view of one chain, and the account that it pays with. */
export type Wallet = ReturnType<typeof connectWallet>

/** Creates viem clients that read and send as one account. Nothing is asked of the node yet. */
export function connectWallet(chain: { chainId: number; rpcUrl: string }, privateKey: Hex) {
  const definition: Chain = defineChain({
    id: chain.chainId,
    name: `chain ${chain.chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })
  const account = privateKeyToAccount(privateKey)
  const transport = http(chain.rpcUrl)
  return {
    account,
    reader: createPublicClient({ chain: definition, transport, cacheTime: 0, pollingInterval: 100 }),
    sender: createWalletClient({ account, chain: definition, transport }),
  }
}
