import type { Address } from 'viem'
import type { Price, Prices } from '../market/prices/prices.ts'
import { keyOf, tokenIdOf, type TokenKey } from '../market/tokens/token-id.ts'
import type { Token, Tokens } from '../market/tokens/tokens.ts'
import type { TokenAmount } from './activity.ts'
import { tokenOfTold, type ToldActivity } from './told-spends.ts'

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

/** Reads tokens and prices of reported spends. @returns A function that describes their amounts. */
export async function loadToldAmounts(
  { tokens, prices }: { tokens: Tokens; prices: Prices },
  told: readonly ToldActivity[],
): Promise<DescribeAmount> {
  if (told.length === 0) return describeAmounts(new Map(), new Map())
  const all = told.map((one) => tokenIdOf(one.pool.chainId, tokenOfTold(one)))
  const ids = [...new Map(all.map((id) => [keyOf(id), id])).values()]
  return describeAmounts(...(await Promise.all([tokens.learnMany(ids), prices.read(ids)])))
}
