import type { DatabasePool } from 'slonik'
import { getAddress } from 'viem'
import { addAccountToken, listAccountTokens } from '../../../db/market/tokens/account-tokens.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import type { Prices } from '../prices/prices.ts'
import { keyOf, type TokenId } from '../tokens/token-id.ts'
import type { DescribedToken, TokenExtra, Tokens } from '../tokens/tokens.ts'
import type { AccountTokens, BalanceReader, WatchedTokens } from './watched-tokens.ts'
import { suspiciousToken } from '../errors.ts'
import { badRequest } from '../../errors.ts'

/** Creates the watch lists from accounts' added and held tokens. */
export function createWatchedTokens(parts: {
  database: DatabasePool
  tokens: Tokens
  prices: Prices
  chains: Chains
  accountTokens: AccountTokens
  balances: BalanceReader
  maxPerAccount: number
}): WatchedTokens {
  const { database, tokens, prices, chains, accountTokens, balances, maxPerAccount } = parts
  /** Looks a held token up privately: a public lookup would reveal the holder to others. */
  async function lookup(
    accountId: string,
    id: TokenId,
    include: ReadonlySet<TokenExtra>,
  ): Promise<DescribedToken> {
    const held = await accountTokens.heldBy(accountId)
    const isHeld = held.some((one) => keyOf(one) === keyOf(id))
    return isHeld ? tokens.lookupHeld(id, include) : tokens.lookup(id, include)
  }

  return {
    async list(accountId, include) {
      const [added, held] = await Promise.all([
        listAccountTokens(database, accountId),
        accountTokens.heldBy(accountId),
      ])
      const chosen = added.map(({ chainId, address }) => ({ chainId, address: getAddress(address) }))
      const wasAdded = new Set(chosen.map(keyOf))
      const others = held.filter((id) => !wasAdded.has(keyOf(id)))
      const known = await tokens.learnMany([...chosen, ...others])
      const shown = [...chosen, ...others].flatMap((id) => {
        const token = known.get(keyOf(id))
        return token && (!token.spam || wasAdded.has(keyOf(id))) ? [token] : []
      })
      return tokens.describe(shown, include)
    },
    async add(accountId, id, include) {
      const described = await lookup(accountId, id, include)
      if (described.token.spam) throw suspiciousToken()
      if (!(await addAccountToken(database, { accountId, ...id }, maxPerAccount)))
        throw badRequest(`An account may add at most ${maxPerAccount} tokens`)
      return described
    },
    async read(accountId, id, include) {
      const described = await lookup(accountId, id, include)
      const { token } = described
      const [amounts, priced] = await Promise.all([balances.read(accountId, token), prices.read([id])])
      return {
        ...described,
        balance: {
          token,
          chainName: chains.get(id.chainId)?.config.name ?? String(id.chainId),
          ...amounts,
          price: priced.get(keyOf(id)) ?? null,
        },
      }
    },
  }
}
