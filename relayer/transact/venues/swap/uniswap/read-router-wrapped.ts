import { parseAbi, type Address, type PublicClient } from 'viem'

/**
 * The wrapped coin that a router makes of coins and unwraps: it would keep what is paid out in another one.
 * @throws viem's errors where the chain does not answer, or nothing that answers is there.
 */
export const readRouterWrapped = (client: PublicClient, router: Address): Promise<Address> =>
  client.readContract({
    address: router,
    abi: parseAbi(['function WETH9() view returns (address)']),
    functionName: 'WETH9',
  })
