import { keyOf, tokenIdOf } from '../market/tokens/token-id.ts'
import type { Tokens } from '../market/tokens/tokens.ts'
import type { Prices } from '../market/prices/prices.ts'
import { describeAmounts, type DescribeAmount } from './describe-amounts.ts'
import { tokenOfTold, type ToldActivity } from './told-spends.ts'

/** Reads tokens and prices of reported spends. @returns A function that describes their amounts. */
export async function loadToldAmounts(
  { tokens, prices }: { tokens: Pick<Tokens, 'learnMany'>; prices: Pick<Prices, 'read'> },
  told: readonly ToldActivity[],
): Promise<DescribeAmount> {
  if (told.length === 0) return describeAmounts(new Map(), new Map())
  const all = told.map((one) => tokenIdOf(one.pool.chainId, tokenOfTold(one)))
  const ids = [...new Map(all.map((id) => [keyOf(id), id])).values()]
  return describeAmounts(...(await Promise.all([tokens.learnMany(ids), prices.read(ids)])))
}
