import { valueInUsd } from '../market/prices/usd.ts'
import type { TokenAmount } from './activity.ts'

/** Returns the present worth of an amount, in units of 10^-30 dollars; null without metadata or a price of its token. */
export function valueAmount({ value, token, price }: TokenAmount): bigint | null {
  return token && price ? valueInUsd(value, token.decimals, price) : null
}
