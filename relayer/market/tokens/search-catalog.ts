import { isAddress } from 'viem'
import type { Catalog } from './build-catalog.ts'
import type { CatalogPosition, Token } from './tokens.ts'

/**
 * Returns the matching tokens, best first: the whole symbol, a symbol's beginning, a name's or word's beginning, a
 * part of either. Among equals, pinned tokens come first, then verified ones, then by symbol. A page begins after the
 * cursor's token, even if that token is gone.
 */
export function searchCatalog(
  catalog: Catalog,
  query: {
    q?: string | undefined
    chainId?: number | undefined
    limit: number
    cursor?: CatalogPosition | undefined
  },
): { tokens: readonly Token[]; nextCursor: CatalogPosition | null } {
  const wanted = query.q?.trim().toLowerCase() ?? ''
  const rankOf = rankBy(wanted)
  const after = query.cursor ?? null
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
    nextCursor: last && found.length > page.length ? last.at : null,
  }
}

/** Returns a function that ranks a token's match; null if it does not match. */
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

function positionOf(token: Token, rank: number, pinned: readonly string[]): CatalogPosition {
  const place = pinned.indexOf(token.symbol)
  const prominence = place >= 0 ? place : pinned.length + (token.visibility === 'verified' ? 0 : 1)
  return [rank, prominence, token.symbol.toLowerCase(), token.chainId, token.address]
}

function compare(a: CatalogPosition, b: CatalogPosition): number {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? ''
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}
