import { useQuery } from 'urql'
import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { findChain } from '../read-settings.ts'
import type { TokenEntry, TokensAnswer } from './answers.ts'
import { TOKENS } from './documents.ts'

/** The tokens of a chain that people know, the coin first, and the one with an address. */
export function useTokens(
  chainId: number,
  address: Address,
): { all: readonly TokenEntry[]; chosen: TokenEntry } {
  const [{ data }] = useQuery<TokensAnswer>({ query: TOKENS, variables: { chainId } })
  const symbol = findChain(chainId)?.nativeSymbol ?? 'ETH'
  const coin: TokenEntry = { id: 'coin', address: zeroAddress, symbol, decimals: 18 }
  const others = (data?.tokenCatalog?.tokens ?? []).filter(
    (token) => !isAddressEqual(token.address, zeroAddress),
  )
  const all = [coin, ...others]
  return { all, chosen: all.find((token) => isAddressEqual(token.address, address)) ?? coin }
}
