import { keyOf, tokenIdOf } from '../market/tokens/token-id.ts'
import type { Tokens } from '../market/tokens/tokens.ts'
import type { Prices } from '../market/prices/prices.ts'
import type { Address } from 'viem'
import type { TokenAmount } from './activity.ts'
import { tokenOfTold, type ToldActivity } from './told-spends.ts'

/** Reads tokens and prices of told spends. @returns How amounts of them are described, in the smallest unit. */
export async function loadToldAmounts(
  { tokens, prices }: { tokens: Pick<Tokens, 'learnMany'>; prices: Pick<Prices, 'read'> },
  told: readonly ToldActivity[],
): Promise<(chainId: number, token: string, value: bigint) => TokenAmount> {
  const all = told.map((one) => tokenIdOf(one.pool.chainId, tokenOfTold(one)))
  const ids = [...new Map(all.map((id) => [keyOf(id), id])).values()]
  const [known, worth] =
    ids.length > 0 ? await Promise.all([tokens.learnMany(ids), prices.read(ids)]) : [new Map(), new Map()]
  return (chainId, token, value) => {
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
}
