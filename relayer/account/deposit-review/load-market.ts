import type { DatabasePool } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import type { TrustedFrom } from '../../../db/account/deposit-review/review-rows.ts'
import { listAccountTokens } from '../../../db/market/tokens/account-tokens.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { Token, Tokens } from '../../market/tokens/tokens.ts'
import { listShownTokens } from '../balances/list-shown-tokens.ts'
import { leastTrusted } from '../provenance/trusted-receive.ts'

/** Sources of tokens and their prices. */
export interface MarketSources {
  database: DatabasePool
  chains: readonly ChainConfig[]
  tokens: Tokens
  prices: Prices
}

/** Metadata, prices and trust of the tokens that an account was sent. */
export interface ReviewMarket {
  known: ReadonlyMap<TokenKey, Token>
  /** Prices of these tokens and of the chains' native coins. */
  worth: ReadonlyMap<TokenKey, Price | null>
  /** The minimum trusted amount of each trusted token. */
  trusted: readonly TrustedFrom[]
}

/** Loads which receipts of an account are trusted, and the prices of its tokens. */
export async function loadMarket(
  { database, chains, tokens, prices }: MarketSources,
  accountId: string,
): Promise<ReviewMarket> {
  const [shown, watched] = await Promise.all([
    listShownTokens({ database, tokens }, accountId),
    listAccountTokens(database, accountId),
  ])
  const served = new Set(chains.map(({ chainId }) => chainId))
  const ids = shown.tokens.filter(({ chainId }) => served.has(chainId))
  const natives = chains.map(({ chainId }): TokenId => ({ chainId, address: zeroAddress }))
  const [known, worth] = await Promise.all([tokens.learnMany(ids), prices.read([...ids, ...natives])])
  const watchedKeys = new Set(
    watched.map(({ chainId, address }) => keyOf({ chainId, address: address as Address })),
  )
  const trusted = ids.flatMap((id) => {
    const key = keyOf(id)
    const least = leastTrusted({
      token: known.get(key) ?? null,
      price: worth.get(key) ?? null,
      isWatched: watchedKeys.has(key),
    })
    return least ? [{ chainId: id.chainId, token: id.address, least }] : []
  })
  return { known, worth, trusted }
}
