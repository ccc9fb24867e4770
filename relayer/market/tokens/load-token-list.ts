import { readFile } from 'node:fs/promises'
import { getAddress, isAddress } from 'viem'
import { z } from 'zod'
import { readBounded } from '../../../proving/rpc/read-bounded.ts'
import type { TokensConfig } from './config.ts'
import { sanitizeText } from './sanitize-text.ts'
import type { TokenId } from './token-id.ts'

/** Larger lists are rejected: a list of thousands of tokens has a megabyte. */
const MAX_LIST_BYTES = 16 * 1024 * 1024
const MAX_LIST_TOKENS = 50_000
const TIMEOUT_MS = 20_000

/** Maximum code points of a symbol; the rest is cut off. */
export const MAX_SYMBOL_LENGTH = 32
/** Maximum code points of a name; the rest is cut off. */
export const MAX_NAME_LENGTH = 64
/** 10^36 is far above any used token; 10^78 no longer fits a word. */
export const MAX_DECIMALS = 36

/** A token of a token list, its texts sanitized. */
export interface ListedToken extends TokenId {
  symbol: string
  name: string
  decimals: number
  logoUri: string | null
}

/** A token list without entries that violate the standard. */
export interface TokenList {
  name: string
  /** Time of its publication. */
  publishedAt: Date
  tokens: readonly ListedToken[]
}

/** The used parts of the standard (https://uniswap.org/tokenlist.schema.json). */
const listShape = z.object({
  name: z.string().min(1).max(128),
  timestamp: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  tokens: z.array(z.unknown()).max(MAX_LIST_TOKENS),
})
const tokenShape = z.object({
  chainId: z.int().positive(),
  address: z
    .string()
    .refine((text) => isAddress(text, { strict: false }))
    .transform((text) => getAddress(text.toLowerCase())),
  symbol: z.string().max(128),
  name: z.string().max(256),
  decimals: z.int().min(0).max(MAX_DECIMALS),
  logoURI: z.string().max(2_048).optional(),
})

/** The built-in list never changes while the service runs. */
let packaged: Promise<unknown> | undefined

/**
 * Loads the configured list. Drops entries that violate the standard, or of chains without Ethereum addresses.
 *
 * @param chainIds Chains whose tokens are wanted; default all. Checking the others would take a tenth of a second of
 * a start.
 * @throws Error if the list cannot be read or is no list.
 */
export async function loadTokenList(
  source: TokensConfig['list'],
  chainIds?: ReadonlySet<number>,
): Promise<TokenList | null> {
  if (source === 'none') return null
  if (source !== 'default') return parseTokenList(JSON.parse(await readList(source)), chainIds)
  packaged ??= readPackaged().then((text): unknown => JSON.parse(text))
  return parseTokenList(await packaged, chainIds)
}

const readPackaged = () =>
  readFile(
    new URL(import.meta.resolve('@uniswap/default-token-list/build/uniswap-default.tokenlist.json')),
    'utf8',
  )

async function readList(source: Exclude<TokensConfig['list'], 'none' | 'default'>): Promise<string> {
  if ('file' in source) return readFile(source.file, 'utf8')
  const response = await fetch(source.url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`the token list is not there: HTTP ${response.status}`)
  const text = await readBounded(response, MAX_LIST_BYTES)
  if (text === null) throw new Error(`the token list is larger than ${MAX_LIST_BYTES} bytes`)
  return text
}

/**
 * Parses a token list. Drops invalid entries, and those of unwanted chains. Exported so that its test needs no file.
 * @throws ZodError if the list itself has another form.
 */
export function parseTokenList(json: unknown, chainIds?: ReadonlySet<number>): TokenList {
  const { name, timestamp, tokens } = listShape.parse(json)
  const wanted = chainIds ? tokens.filter((token) => chainIds.has(chainOf(token))) : tokens
  return { name, publishedAt: timestamp, tokens: wanted.flatMap(parseToken) }
}

/** Returns the chainId of an entry; NaN if it has none. */
const chainOf = (token: unknown): number =>
  typeof token === 'object' && token !== null && 'chainId' in token ? Number(token.chainId) : Number.NaN

function parseToken(json: unknown): ListedToken[] {
  const parsed = tokenShape.safeParse(json)
  if (!parsed.success) return []
  const { logoURI, ...token } = parsed.data
  const symbol = sanitizeText(token.symbol, MAX_SYMBOL_LENGTH).text
  const name = sanitizeText(token.name, MAX_NAME_LENGTH).text
  return symbol && name ? [{ ...token, symbol, name, logoUri: safeLogo(logoURI) }] : []
}

/** Returns an https or ipfs URL of a picture that clients may load; null for any other URL. */
export function safeLogo(text: string | null | undefined): string | null {
  const url = text ? URL.parse(text) : null
  if (!url || url.username || url.password) return null
  return url.protocol === 'https:' || url.protocol === 'ipfs:' ? url.href : null
}
