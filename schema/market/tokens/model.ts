import { z } from 'zod'
import { accountPath } from '../../define/account-operation.ts'
import { absentIfNull, address, addressText, chainId } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'
import { balanceEntry } from '../balance-entry.ts'
import { tokenMarket, time } from './token-market.ts'
import { cursorOf } from '../../define/cursor.ts'

/** Position of the last token of a page of the catalogue. */
export const catalogCursor = cursorOf(
  z.string().min(1).max(512),
  z.tuple([z.int(), z.int(), z.string().max(64), z.int(), z.string().max(64)]).readonly(),
)

const text = z.string()

const tokenSource = shape('TokenSource', 'The sources that list a token, and since when.', {
  source: described(text, 'Sources that list the token: the configuration, a list, a provider, or `chain`.'),
  sourceId: described(text, 'Id of the token at that source.'),
  firstSeenAt: described(time, 'When the source was first seen to know the token, ISO 8601.'),
  lastSeenAt: described(time, 'When the source was last seen to know the token, ISO 8601.'),
  name: described(absentIfNull(text), 'Name of the token by that source; absent if it has none.'),
  symbol: described(absentIfNull(text), 'Symbol of the token by that source; absent if it has none.'),
  logoUrl: described(absentIfNull(text), 'URL of a picture by that source; absent where it has none.'),
  externalUrl: described(
    absentIfNull(text),
    'URL of the source’s page about the token; absent where it has none.',
  ),
  decimals: described(absentIfNull(z.int()), 'Decimals of the token by that source; absent if it has none.'),
})

const visibility = described(
  z.enum(['verified', 'listed', 'unlisted', 'hidden']),
  'verified: configured by the operator. listed: in the token list. unlisted: known from a provider or the chain alone. hidden: likely spam.',
  { id: 'TokenVisibility' },
)

const metadataSource = described(
  z.enum(['configuration', 'token-list', 'provider', 'chain']),
  'Source of symbol, name and decimals: the operator, a list, a provider, or the contract.',
  { id: 'TokenMetadataSource' },
)

const tokenMembers = {
  address: described(addressText, 'Contract of the token, checksummed; the zero address is the native coin.'),
  symbol: described(text, 'Symbol of the token, without control or invisible characters.'),
  name: described(text, 'Name of the token, without control or invisible characters.'),
  decimals: described(z.int(), 'Decimals of the token: a whole token is 10^decimals smallest units.'),
  chainId,
  logoURI: described(absentIfNull(text), 'https URL of a picture of the token; absent without one.'),
  isPartnerToken: described(
    z.boolean().optional(),
    'True for a token that the operator configured as a partner’s.',
  ),
  visibility: described(visibility.optional(), 'How far the token is to be trusted.'),
  metadataSource: described(metadataSource.optional(), 'Source of symbol, name and decimals.'),
  market: described(
    tokenMarket.nullable().optional(),
    'The token’s market; absent unless `include` names market, null where no provider knows one.',
  ),
  sources: described(
    z.array(tokenSource).optional(),
    'The sources that list the token, and since when; absent unless `include` names sources.',
  ),
}

export const token = shape('Token', 'A token of one chain.', tokenMembers)

const priceChange = shape('PriceChange', 'How the price moved against the one so many hours before.', {
  percentage: described(z.number(), 'Change of the price in percent; negative when it fell.'),
  observedAt: described(time, 'When the present price was observed, ISO 8601.'),
})

const popularToken = shape('PopularToken', 'A token, and how its price moved.', {
  ...tokenMembers,
  change6h: described(
    absentIfNull(priceChange),
    'Against the price six hours ago; absent where that is not known.',
  ),
  change24h: described(
    absentIfNull(priceChange),
    'Against the price a day ago; absent where that is not known.',
  ),
})

const tokenInclude = described(z.enum(['market', 'sources']), 'Members to add to tokens.', {
  id: 'TokenInclude',
})

/** A comma-separated list; unknown words are refused. */
const include = described(
  z.array(tokenInclude).max(2).optional(),
  'Members to add to each token, comma-separated: market, sources.',
)

export const includeQuery = parameters({ include })

export const catalogQuery = parameters({
  q: described(z.string().max(100).optional(), 'Text to search for: symbol, name, or an address as a whole.'),
  chainId: described(chainId.optional(), 'Only tokens of the chain with this EIP-155 id.'),
  limit: described(
    z.int().min(1).max(1_000).default(100),
    'Entries of a page, 1 to 1,000; 100 unless given.',
  ),
  cursor: described(catalogCursor.optional(), '`nextCursor` of the page before.'),
  include,
})

const tokenName = shape('TokenName', 'A token by chain and contract.', {
  chainId,
  address: described(addressText, 'Contract of the token, checksummed; the zero address is the native coin.'),
})

export const tokenCatalog = shape('TokenCatalog', 'A page of known tokens.', {
  tokens: described(z.array(token), 'The tokens of this page.'),
  pinnedSymbols: described(z.array(text), 'Symbols that a client shows first, in this order.'),
  testnetToMainnet: described(
    z.record(z.string(), tokenName),
    'By `<chainId>:<address>` of a testnet’s token: the mainnet’s token that it stands for.',
  ),
  nextCursor: described(z.string().nullable(), '`cursor` of the next page; null after the last.'),
})

export const popularQuery = parameters({ chainId })

export const popularTokens = shape('PopularTokens', 'Tokens that are popular on a chain.', {
  source: described(
    z.enum(['trending', 'venue-popular']),
    'trending: searched for most. venue-popular: traded most.',
    { id: 'PopularTokensSource' },
  ),
  tokens: described(z.array(popularToken), 'The most popular first; empty if no source has any.'),
})

export const lookupQuery = parameters({
  address: described(address, 'Contract of the token; the zero address is the native coin.'),
  chainId,
  include,
})

/** Path parameters are text in REST; the number is parsed from it. */
export const accountTokenPath = parameters({
  ...accountPath.shape,
  chainId,
  address: described(address, 'Contract of the token; the zero address is the native coin.'),
})

export const addTokenBody = shape('AddTokenRequest', 'The token to add.', {
  chainId,
  address: described(address, 'Contract of the token; the zero address is the native coin.'),
})

export const tokenList = shape('TokenList', 'Tokens of an account.', {
  tokens: described(
    z.array(token),
    'Tokens that the account added, in that order, then those that its addresses hold.',
  ),
})

export const accountToken = shape('AccountToken', 'A token, and what the account has of it.', {
  token,
  balance: balanceEntry,
})
