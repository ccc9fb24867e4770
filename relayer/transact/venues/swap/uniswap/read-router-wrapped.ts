import { parseAbi, type Address, type PublicClient } from 'viem'

/**
 * Reads the wrapped coin that a router wraps and unwraps. Native coins from a swap into another wrapped coin would stay
 * with the router.
 * @throws viem's errors if the chain does not answer, or if the address does not answer as a router.
 */
export const readRouterWrapped = (client: PublicClient, router: Address): Promise<Address> =>
  client.readContract({
    address: router,
    abi: parseAbi(['function WETH9() view returns (address)']),
    functionName: 'WETH9',
  })
