/** Basis points of a whole. */
const WHOLE = 10_000n
/** Least and most automatic slippage, in basis points. */
const AUTO = { least: 20, most: 300 }
/** The same for two tokens that are each worth a dollar. */
const AUTO_OF_DOLLARS = { least: 5, most: 30 }
/** Replaces the gap to an average price if no pool reports one, in basis points. */
const UNKNOWN_GAP = 50
/** Slippage above which a swap is refused, in basis points. */
export const MAX_SLIPPAGE_BPS = 5_000
/** Deviation from a dollar within which a token counts as one. */
const DOLLAR_TOLERANCE = 0.01

/** Inputs of a swap's slippage. Amounts in the smallest unit of the output token. */
export interface SwapPrice {
  /** Output according to the venue. */
  quoted: bigint
  /** Output for the recipient in a run of the calls. */
  delivered: bigint
  /** Output at the spot price, less the pools' fees; null if unknown. */
  atSpot: bigint | null
  /** Gap between the spot price and its ten-minute average, in basis points; null if no pool reports it. */
  twapGapBps: number | null
}

/** Returns how much less than the venue's quote the recipient gets, in basis points, rounded up: the tax of a token. */
export function lossBpsOf({ quoted, delivered }: Pick<SwapPrice, 'quoted' | 'delivered'>): number {
  if (delivered >= quoted || quoted === 0n) return 0
  return Number(((quoted - delivered) * WHOLE + quoted - 1n) / quoted)
}

/**
 * Returns the price impact of the amount itself, in basis points: (spot − quoted) / spot, without the pools' fees. Null
 * if the spot price is unknown; never below zero.
 */
export function priceImpactBpsOf({ quoted, atSpot }: Pick<SwapPrice, 'quoted' | 'atSpot'>): number | null {
  if (atSpot === null || atSpot <= 0n) return null
  return quoted >= atSpot ? 0 : Number(((atSpot - quoted) * WHOLE) / atSpot)
}

/**
 * Returns the least slippage with which a swap is likely to succeed, in basis points. It adds 20, the gap between the
 * spot price and its average, a quarter of the price impact, and the loss on delivery. The result is between 20 and
 * 300, or 5 and 30 between two tokens that are worth a dollar.
 */
export function recommendedSlippageBps(price: SwapPrice, bothDollars: boolean): number {
  const impact = priceImpactBpsOf(price) ?? 0
  const wanted = 20 + (price.twapGapBps ?? UNKNOWN_GAP) + Math.ceil(impact / 4) + lossBpsOf(price)
  const { least, most } = bothDollars ? AUTO_OF_DOLLARS : AUTO
  return Math.min(Math.max(wanted, least), most)
}

/** True if a price in dollars is within one percent of one. */
export const isOneDollar = (usd: bigint, decimals: number): boolean =>
  Math.abs(Number(usd) / 10 ** decimals - 1) <= DOLLAR_TOLERANCE

/** Returns the recipient's minimum: floor(expected · (10000 − slippage) / 10000). */
export const minimumOf = (expected: bigint, slippageBps: number): bigint =>
  (expected * (WHOLE - BigInt(slippageBps))) / WHOLE

/**
 * Returns the highest accepted price: floor(expected · (10000 + slippage) / 10000). Above it the minimum is so far
 * below the price that a block producer could take the difference.
 */
export const maximumOf = (expected: bigint, slippageBps: number): bigint =>
  (expected * (WHOLE + BigInt(slippageBps))) / WHOLE
