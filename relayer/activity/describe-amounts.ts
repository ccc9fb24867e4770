import type { Address } from 'viem'
import type { Price } from '../market/prices/prices.ts'
import { keyOf, tokenIdOf, type TokenKey } from '../market/tokens/token-id.ts'
import type { Token } from '../market/tokens/tokens.ts'
import type { TokenAmount } from './activity.ts'

/** Describes an amount of a token in its smallest unit. */
export type DescribeAmount = (chainId: number, token: string, value: bigint) => TokenAmount

/** Describes amounts by the tokens and prices that were read; the rest is null. */
export const describeAmounts =
  (known: ReadonlyMap<TokenKey, Token>, worth: ReadonlyMap<TokenKey, Price | null>): DescribeAmount =>
  (chainId, token, value) => {
    const id = tokenIdOf(chainId, token as Address)
    const key = keyOf(id)
    return {
      chainId,
      tokenAddress: id.address,
      token: known.get(key) ?? null,
      value,
      price: worth.get(key) ?? null,
    }
  }
