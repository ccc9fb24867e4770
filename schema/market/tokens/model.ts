import { z } from 'zod'
import { accountPath } from '../../define/account-path.ts'
import { balanceEntry } from '../balance-entry.ts'
import { address, chainId } from '../../define/wire-scalars.ts'

const text = z.string()
const time = z.string().meta({ description: 'ISO 8601.', examples: ['2026-01-31T12:00:00.000Z'] })
const figure = z.string().optional()

export const tokenSource = z
  .object({
    source: text.meta({
      description: 'Who knows the token: the configuration, a list, a provider, or `chain`.',
    }),
    sourceId: text,
    firstSeenAt: time,
    lastSeenAt: time,
    name: text.optional(),
    symbol: text.optional(),
    logoUrl: text.optional(),
    externalUrl: text.optional(),
    decimals: z.int().optional(),
  })
  .meta({ id: 'TokenSource', description: 'Who knows a token, and since when.' })

export const tokenMarket = z
  .object({
    provider: text,
    providerAssetId: text,
    vsCurrency: text,
    price: figure,
    marketCap: figure,
    marketCapRank: z.number().optional(),
    fullyDilutedValuation: figure,
    totalVolume: figure,
    high24h: figure,
    low24h: figure,
    priceChange24h: figure,
    priceChangePercentage24h: figure,
    marketCapChange24h: figure,
    marketCapChangePercentage24h: figure,
    circulatingSupply: figure,
    totalSupply: figure,
    maxSupply: figure,
    ath: figure,
    athChangePercentage: figure,
    athDate: figure,
    atl: figure,
    atlChangePercentage: figure,
    atlDate: figure,
    providerUpdatedAt: figure,
    priceObservedAt: time,
    marketObservedAt: time,
    fetchedAt: time,
    stale: z.boolean(),
  })
  .meta({
    id: 'TokenMarket',
    description: 'What a provider knows of the market; decimal strings. Absent: not known.',
  })

const visibility = z.enum(['verified', 'listed', 'unlisted', 'hidden']).meta({
  id: 'TokenVisibility',
  description:
    'verified: configured by the operator. listed: in the token list. unlisted: known from a provider or the chain alone. hidden: likely spam.',
})

const metadataSource = z.enum(['configuration', 'token-list', 'provider', 'chain']).meta({
  id: 'TokenMetadataSource',
  description: 'Who said what a token is called: the operator, a list, a provider, or its contract.',
})

const tokenMembers = {
  address: z.string().meta({ description: 'Checksummed; the zero address is the native coin.' }),
  symbol: text,
  name: text,
  decimals: z.int(),
  chainId,
  logoURI: text.optional(),
  isPartnerToken: z.boolean().optional(),
  visibility: visibility.optional(),
  metadataSource: metadataSource.optional(),
  market: tokenMarket.nullable().optional(),
  sources: z.array(tokenSource).optional(),
}

export const token = z.object(tokenMembers).meta({ id: 'Token', description: 'A token of one chain.' })

const priceChange = z
  .object({ percentage: z.number(), observedAt: time })
  .meta({ id: 'PriceChange', description: 'In percent, against the price so many hours before.' })

export const popularToken = z
  .object({
    ...tokenMembers,
    change6h: priceChange.optional(),
    change24h: priceChange.optional(),
  })
  .meta({ id: 'PopularToken', description: 'A token, and how its price moved.' })

/** A comma-separated list; what it does not know is refused. */
const include = z
  .array(z.enum(['market', 'sources']).meta({ id: 'TokenInclude', description: 'What to add to tokens.' }))
  .max(2)
  .optional()
  .meta({ description: 'Comma-separated: market, sources.' })

export const includeQuery = z.object({ include })

export const catalogQuery = z.object({
  q: z.string().max(100).optional().meta({ description: 'Symbol, name, or an address as a whole.' }),
  chainId: chainId.optional(),
  limit: z.int().min(1).max(1_000).default(100),
  cursor: z.string().min(1).max(512).optional().meta({ description: 'nextCursor of the page before.' }),
  include,
})

const tokenName = z
  .object({ chainId, address: z.string() })
  .meta({ id: 'TokenName', description: 'A token by chain and contract.' })

export const tokenCatalog = z
  .object({
    tokens: z.array(token),
    pinnedSymbols: z.array(text).meta({ description: 'Symbols to show first.' }),
    testnetToMainnet: z.record(z.string(), tokenName).meta({
      description: 'By `<chainId>:<address>` of a testnet’s token: the mainnet’s token that it stands for.',
    }),
    nextCursor: z.string().nullable().meta({ description: 'Null after the last page.' }),
  })
  .meta({ id: 'TokenCatalog', description: 'A page of known tokens.' })

export const popularQuery = z.object({ chainId })

export const popularTokens = z
  .object({
    source: z.enum(['trending', 'venue-popular']).meta({
      id: 'PopularTokensSource',
      description: 'trending: what people look for. venue-popular: what is traded most.',
    }),
    tokens: z.array(popularToken),
  })
  .meta({ id: 'PopularTokens', description: 'Tokens that are popular on a chain.' })

export const lookupQuery = z.object({ address, chainId, include })

/** By REST path parameters are text; the number is read from it. */
export const accountTokenPath = accountPath.extend({ chainId, address })

export const addTokenBody = z
  .object({ chainId, address })
  .meta({ id: 'AddTokenRequest', description: 'The token to add.' })

export const tokenList = z
  .object({ tokens: z.array(token) })
  .meta({ id: 'TokenList', description: 'Tokens of an account.' })

export const accountToken = z
  .object({ token, balance: balanceEntry })
  .meta({ id: 'AccountToken', description: 'A token, and what the account has of it.' })
