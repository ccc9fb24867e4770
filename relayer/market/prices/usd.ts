import { parseUnits } from 'viem'
import { USD_DECIMALS, type Price } from './prices.ts'

/** Dollars, as a decimal text without exponent, in units of 10^-30 dollars; further digits are cut. */
export function parseUsd(text: string): bigint {
  if (!/^\d{1,40}(?:\.\d{1,400})?$/.test(text))
    throw new RangeError(`${text.slice(0, 50)} is no amount of dollars`)
  const [whole = '', fraction = ''] = text.split('.')
  return parseUnits(`${whole}.${fraction.slice(0, USD_DECIMALS)}`, USD_DECIMALS)
}

/** What an amount of a token is worth, in units of 10^-30 dollars, rounded down. */
export function valueInUsd(amount: bigint, decimals: number, { usd }: Pick<Price, 'usd'>): bigint {
  return (amount * usd) / powerOfTen(decimals)
}

/** 10^n by n: computing it takes longer than the division. */
const powers: bigint[] = []

function powerOfTen(exponent: number): bigint {
  return (powers[exponent] ??= 10n ** BigInt(exponent))
}

/**
 * What a holding of a token is worth, in units of 10^-30 dollars, rounded down. Nothing is worth 0 at any price, also
 * at an unknown one; otherwise null if the price is unknown.
 */
export function valueHolding(
  amount: bigint,
  decimals: number,
  price: Pick<Price, 'usd'> | null,
): bigint | null {
  if (amount === 0n) return 0n
  return price && valueInUsd(amount, decimals, price)
}

/** The number that goes on the wire: the nearest double. Nothing is computed with it. */
export function usdToNumber(usd: bigint): number {
  return Number(`${usd}e-${USD_DECIMALS}`)
}
