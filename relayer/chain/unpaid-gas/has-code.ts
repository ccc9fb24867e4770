import type { Address, PublicClient } from 'viem'

/**
 * Whether an address runs code when it is called, at the newest block: a contract, or a key's account that delegated to
 * one (EIP-7702: 0xef0100…). Such a recipient may make a transaction fail. One call, which travels with others of its tick.
 */
export async function hasCode(client: PublicClient, address: Address): Promise<boolean> {
  const code = await client.getCode({ address, blockTag: 'latest' })
  return code !== undefined && code !== '0x'
}
