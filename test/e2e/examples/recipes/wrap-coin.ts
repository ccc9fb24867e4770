import { swap, type Client, type KnownChain } from 'stealth-relay/client'
import { zeroAddress } from 'viem'

export async function wrapCoin(client: Client, chain: KnownChain, amountIn: bigint) {
  // The contracts come from the wallet's record of the chain, the least output from the user.
  const { chainId, wrapped = zeroAddress } = chain
  const terms = { chainId, tokenIn: zeroAddress, tokenOut: wrapped, amountIn, leastOutput: amountIn }
  const { txHash } = await swap(client, { ...terms, maxFee: amountIn / 10n })
  return txHash
}
