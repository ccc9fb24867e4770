import { erc20Abi, zeroAddress, type Address, type PublicClient } from 'viem'
import { serverBusy } from '../../errors.ts'

/**
 * Reads the allowance of a spender over an owner's token, smallest unit; 0 without a spender, and for the coin.
 * @throws ServiceError `unavailable` when the chain does not answer.
 */
export async function readAllowance(
  client: PublicClient,
  { token, owner, spender }: { token: Address; owner: Address; spender: Address | null },
): Promise<bigint> {
  if (spender === null || token === zeroAddress) return 0n
  try {
    return await client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [owner, spender],
    })
  } catch (cause) {
    throw serverBusy('The chain does not answer now; try again in a moment', { cause })
  }
}
