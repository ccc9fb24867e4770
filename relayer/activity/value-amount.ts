import { valueInUsd } from '../market/prices/usd.ts'
import type { TokenAmount } from './activity.ts'

/** What an amount is worth today, in units of 10^-30 dollars; null if its token is not described or has no price. */
export function valueAmount({ value, token, price }: TokenAmount): bigint | null {
  return token && price ? valueInUsd(value, token.decimals, price) : null
}
