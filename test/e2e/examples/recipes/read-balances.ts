import type { Client } from 'stealth-relay/client'
import { formatUnits } from 'viem'

export async function readBalances(client: Client, chainId: number) {
  // Any operation by its name, with the types of its input and answer. Amounts are decimal strings.
  const { balances } = await client.call('accountChainBalance', { path: { chainId } })
  return balances.map(
    ({ tokenSymbol, decimals, visible }) =>
      `${formatUnits(BigInt(visible.available), decimals)} ${tokenSymbol}`,
  )
}
