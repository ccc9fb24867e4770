/** Basis points of a whole. */
const WHOLE = 10_000n
/** What an automatic slippage is at least and at most, in basis points. */
const AUTO = { least: 20, most: 300 }
/** The same for two tokens that are each worth a dollar. */
const AUTO_OF_DOLLARS = { least: 5, most: 30 }
/** In place of the gap to an average price where no pool tells one, in basis points. */
const UNKNOWN_GAP = 50
/** Above it a swap is refused, in basis points. */
export const MAX_SLIPPAGE_BPS = 5_000
/** A token within so much of a dollar counts as one. */
const DOLLAR_TOLERANCE = 0.01

/** What the slippage of a swap depends on. Amounts in the smallest unit of the token that comes out. */
export interface SwapPrice {
  /** What the venue says comes out. */
  quoted: bigint
  /** What a run of the calls gave the recipient. */
  delivered: bigint
  /** What would come out at the spot price, less the pools' fees; null where nobody knows. */
  atSpot: bigint | null
  /** How far the spot price is from its average of ten minutes, in basis points; null where no pool tells. */
  twapGapBps: number | null
}

/** How much less the recipient gets than the venue says, in basis points, rounded up: the tax of a token. */
export function lossBpsOf({ quoted, delivered }: Pick<SwapPrice, 'quoted' | 'delivered'>): number {
  if (delivered >= quoted || quoted === 0n) return 0
  return Number(((quoted - delivered) * WHOLE + quoted - 1n) / quoted)
}

/**
 * By how much the amount itself moves the price, in basis points: (spot − quoted) / spot, fees of pools left out. Null
 * where the spot price is unknown; never below zero.
 */
export function priceImpactBpsOf({ quoted, atSpot }: Pick<SwapPrice, 'quoted' | 'atSpot'>): number | null {
  if (atSpot === null || atSpot <= 0n) return null
  return quoted >= atSpot ? 0 : Number(((atSpot - quoted) * WHOLE) / atSpot)
}

/**
 * The least slippage with which a swap is likely to go through, in basis points: 20, the gap between the spot price and its
 * average, a quarter of the price impact, and what delivery loses; between 20 and 300, or 5 and 30 between two tokens that
 * are worth a dollar.
 */
export function recommendedSlippageBps(price: SwapPrice, bothDollars: boolean): number {
  const impact = priceImpactBpsOf(price) ?? 0
  const wanted = 20 + (price.twapGapBps ?? UNKNOWN_GAP) + Math.ceil(impact / 4) + lossBpsOf(price)
  const { least, most } = bothDollars ? AUTO_OF_DOLLARS : AUTO
  return Math.min(Math.max(wanted, least), most)
}

/** Whether a price in dollars is within one percent of one. */
export const isOneDollar = (usd: bigint, decimals: number): boolean =>
  Math.abs(Number(usd) / 10 ** decimals - 1) <= DOLLAR_TOLERANCE

/** The least that the recipient gets: floor(expected · (10000 − slippage) / 10000). */
export const minimumOf = (expected: bigint, slippageBps: number): bigint =>
  (expected * (WHOLE - BigInt(slippageBps))) / WHOLE

/**
 * The most that a price may have risen to: floor(expected · (10000 + slippage) / 10000). Above it the minimum is so far below
 * the price that whoever orders transactions could take the rest.
 */
export const maximumOf = (expected: bigint, slippageBps: number): bigint =>
  (expected * (WHOLE + BigInt(slippageBps))) / WHOLE
