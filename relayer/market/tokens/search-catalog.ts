import { isAddress } from 'viem'
import { z } from 'zod'
import type { Catalog } from './build-catalog.ts'
import type { Token } from './tokens.ts'
import { badRequest } from '../../errors.ts'

/** Where a token stands in an answer: smaller first. Positions are total, so a page may begin after any of them. */
type Position = readonly [rank: number, prominence: number, symbol: string, chainId: number, address: string]

const position = z.tuple([z.int(), z.int(), z.string().max(64), z.int(), z.string().max(64)])

/**
 * The tokens that match, best first: the symbol as a whole, a symbol's beginning, a name's or word's beginning, then a
 * part of either; among equals pinned ones, then verified ones, then by symbol. A page begins after the cursor's
 * token, whether or not that is still there.
 */
export function searchCatalog(
  catalog: Pick<Catalog, 'tokens' | 'pinnedSymbols'>,
  query: { q?: string | undefined; chainId?: number | undefined; limit: number; cursor?: string | undefined },
): { tokens: readonly Token[]; nextCursor: string | null } {
  const wanted = query.q?.trim().toLowerCase() ?? ''
  const rankOf = rankBy(wanted)
  const after = query.cursor === undefined ? null : readCursor(query.cursor)
  const found = [...catalog.tokens.values()]
    .filter(({ chainId }) => query.chainId === undefined || chainId === query.chainId)
    .flatMap((token) => {
      const rank = rankOf(token)
      return rank === null ? [] : [{ token, at: positionOf(token, rank, catalog.pinnedSymbols) }]
    })
    .filter(({ at }) => after === null || compare(at, after) > 0)
    .sort((a, b) => compare(a.at, b.at))
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  return {
    tokens: page.map(({ token }) => token),
    nextCursor: last && found.length > page.length ? writeCursor(last.at) : null,
  }
}

/** How well a token matches; null when it does not. */
function rankBy(wanted: string): (token: Token) => number | null {
  if (wanted === '') return () => 0
  if (isAddress(wanted, { strict: false }))
    return ({ address }) => (address.toLowerCase() === wanted ? 0 : null)
  return ({ symbol, name }) => {
    const [lowerSymbol, lowerName] = [symbol.toLowerCase(), name.toLowerCase()]
    if (lowerSymbol === wanted) return 0
    if (lowerSymbol.startsWith(wanted)) return 1
    if (lowerName.startsWith(wanted) || lowerName.includes(` ${wanted}`)) return 2
    return lowerSymbol.includes(wanted) || lowerName.includes(wanted) ? 3 : null
  }
}

function positionOf(token: Token, rank: number, pinned: readonly string[]): Position {
  const place = pinned.indexOf(token.symbol)
  const prominence = place >= 0 ? place : pinned.length + (token.visibility === 'verified' ? 0 : 1)
  return [rank, prominence, token.symbol.toLowerCase(), token.chainId, token.address]
}

function compare(a: Position, b: Position): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? ''
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

const writeCursor = (at: Position) => Buffer.from(JSON.stringify(at)).toString('base64url')

function readCursor(cursor: string): Position {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch (cause) {
    throw badRequest('cursor: expected the nextCursor of an earlier page', { cause })
  }
}
