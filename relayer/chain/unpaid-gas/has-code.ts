import type { Address, Hex, PublicClient } from 'viem'

/**
 * Reads the code that an address runs when it is called, at the newest block: a contract's, or a key's delegation (EIP-7702:
 * 0xef0100…). Null without code. One call, batched with others of its tick.
 */
export async function readCode(client: PublicClient, address: Address): Promise<Hex | null> {
  const code = await client.getCode({ address, blockTag: 'latest' })
  return code === undefined || code === '0x' ? null : code
}

/** True if an address runs code when it is called: such a recipient may make a transaction fail. */
export const hasCode = async (client: PublicClient, address: Address): Promise<boolean> =>
  (await readCode(client, address)) !== null
