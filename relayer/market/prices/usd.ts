import { parseUnits } from 'viem'
import { USD_DECIMALS } from './prices.ts'

/** Parses dollars, as a decimal text without exponent, to units of 10^-30 dollars; further digits are cut. */
export function parseUsd(text: string): bigint {
  if (!/^\d{1,40}(?:\.\d{1,400})?$/.test(text))
    throw new RangeError(`${text.slice(0, 50)} is no amount of dollars`)
  const [whole = '', fraction = ''] = text.split('.')
  return parseUnits(`${whole}.${fraction.slice(0, USD_DECIMALS)}`, USD_DECIMALS)
}

/** Returns the worth of an amount of a token, in units of 10^-30 dollars, rounded down. */
export function valueInUsd(amount: bigint, decimals: number, { usd }: { usd: bigint }): bigint {
  return (amount * usd) / powerOfTen(decimals)
}

/** 10^n by n, cached because computing it takes longer than the division. */
const powers: bigint[] = []

function powerOfTen(exponent: number): bigint {
  return (powers[exponent] ??= 10n ** BigInt(exponent))
}

/**
 * Returns the worth of a holding in units of 10^-30 dollars, rounded down. An amount of zero is worth 0, even without
 * a price; otherwise null without a price.
 */
export function valueHolding(amount: bigint, decimals: number, price: { usd: bigint } | null): bigint | null {
  if (amount === 0n) return 0n
  return price && valueInUsd(amount, decimals, price)
}

/** Converts dollars to the nearest double, for answers only. Nothing is computed with it. */
export function usdToNumber(usd: bigint): number {
  return Number(`${usd}e-${USD_DECIMALS}`)
}
