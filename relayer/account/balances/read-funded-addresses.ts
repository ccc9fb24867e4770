import { setImmediate } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { listFundedAddresses, type FundedAddressRow } from '../../../db/account/balances/address-holdings.ts'
import type { DescribeApp } from '../addresses/addresses.ts'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { Token, Tokens } from '../../market/tokens/tokens.ts'
import type { AddressTokenBalance, FundedAddress, FundedAddressQuery } from './balances.ts'
import { listShownTokens } from './list-shown-tokens.ts'

/** Where funded addresses and their worth come from. */
export interface FundedAddressSources {
  database: DatabasePool
  tokens: Tokens
  prices: Prices
  chainNames: ReadonlyMap<number, string>
  describeApp: DescribeApp
}

/** What is known of tokens: null where it is known that there is nothing. */
export interface LearntTokens {
  tokens: Map<TokenKey, Token | null>
  prices: Map<TokenKey, Price | null>
}

/** A page of funded addresses, and what was learnt on the way. */
interface FundedPage {
  addresses: readonly FundedAddress[]
  total: number
  /** Tokens that the answer tells of one by one. */
  shown: readonly TokenId[]
  known: LearntTokens
}

/** Addresses that are described at a time: a few milliseconds, after which other requests have their turn. */
const SLICE = 500

/**
 * The addresses that hold something, with their holdings, by four queries, whatever their number. Tokens beyond
 * `catalog.maxUnlisted` are left out as {@link listShownTokens} says, unless the query names one.
 */
export async function readFundedAddresses(
  sources: FundedAddressSources,
  accountId: string,
  query: FundedAddressQuery,
): Promise<FundedPage> {
  const { database, tokens, prices } = sources
  const { address, chainId, token } = query
  const { tokens: ofAccount, isLimited } = await listShownTokens(sources, accountId)
  const isNarrowed = isLimited && token === undefined
  const { rows, total } = await listFundedAddresses(
    database,
    { accountId, address, chainId, token, ...(isNarrowed && { tokens: ofAccount }) },
    { limit: query.limit ?? null, offset: query.offset ?? 0 },
  )
  const known: LearntTokens = { tokens: new Map(), prices: new Map() }
  await learnTokens(
    { tokens, prices },
    rows.flatMap(({ holdings }) => holdings.map(({ id }) => id)),
    known,
  )
  const describe = createDescription(sources, known)
  const addresses: FundedAddress[] = []
  for (let start = 0; start < rows.length; start += SLICE) {
    if (start > 0) await setImmediate()
    addresses.push(...rows.slice(start, start + SLICE).map(describe))
  }
  // A token that the query names is always shown.
  const named = token !== undefined && chainId !== undefined ? [{ chainId, address: token }] : []
  return { addresses, total, shown: [...ofAccount, ...named], known }
}

/** Adds what is not known of tokens yet. */
export async function learnTokens(
  { tokens, prices }: Pick<FundedAddressSources, 'tokens' | 'prices'>,
  ids: readonly TokenId[],
  known: LearntTokens,
): Promise<void> {
  const fresh = new Map<TokenKey, TokenId>()
  for (const id of new Set(ids)) if (!known.tokens.has(keyOf(id))) fresh.set(keyOf(id), id)
  if (fresh.size === 0) return
  const unknown = [...fresh.values()]
  const [learnt, priced] = await Promise.all([tokens.learnMany(unknown), prices.read(unknown)])
  for (const key of fresh.keys()) {
    known.tokens.set(key, learnt.get(key) ?? null)
    known.prices.set(key, priced.get(key) ?? null)
  }
}

/** Rows name a token by the same object, so that it is looked up once. */
function createDescription({ chainNames, describeApp }: FundedAddressSources, known: LearntTokens) {
  const about = new Map<TokenId, Pick<AddressTokenBalance, 'token' | 'chainName' | 'price'> | null>()

  function find(id: TokenId) {
    const token = known.tokens.get(keyOf(id))
    const chainName = chainNames.get(id.chainId)
    const found =
      token && chainName !== undefined
        ? { token, chainName, price: known.prices.get(keyOf(id)) ?? null }
        : null
    about.set(id, found)
    return found
  }

  return ({ address, derivationNonce, usedOrigins, holdings }: FundedAddressRow): FundedAddress => {
    const balances: AddressTokenBalance[] = []
    for (const { id, free, locked } of holdings) {
      const found = about.get(id) ?? find(id)
      if (!found) continue
      const { token, chainName, price } = found
      balances.push({ token, chainName, available: free, pending: locked, price })
    }
    return { address, derivationNonce, usedApps: usedOrigins.map(describeApp), balances }
  }
}
