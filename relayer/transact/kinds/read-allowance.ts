import { refuseSilence } from '../errors.ts'
import { erc20Abi, zeroAddress, type Address, type PublicClient } from 'viem'

/** Returns a reader of the allowances of a spender over a token, which reads each owner's once. */
export function rememberAllowances(
  client: PublicClient,
  { token, spender }: { token: Address; spender: Address | null },
): (owner: Address) => Promise<bigint> {
  const known = new Map<Address, Promise<bigint>>()
  return (owner) => {
    const allowance = known.get(owner) ?? readAllowance(client, { token, owner, spender })
    known.set(owner, allowance)
    return allowance
  }
}

/**
 * Reads the allowance of a spender over an owner's token, smallest unit; 0 without a spender, and for the coin.
 * @throws ServiceError `unavailable` when the chain does not answer.
 */
export async function readAllowance(
  client: PublicClient,
  { token, owner, spender }: { token: Address; owner: Address; spender: Address | null },
): Promise<bigint> {
  if (spender === null || token === zeroAddress) return 0n
  return client
    .readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })
    .catch(refuseSilence)
}
