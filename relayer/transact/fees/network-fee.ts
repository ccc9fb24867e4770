import { costOf, type SendingPrice, type TransactionSize } from '../../chain/nodes/sending-price.ts'
import type { Price } from '../../market/prices/prices.ts'
import { roundUpCoarsely } from '../intents/batch-gas.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'

/** Rate from the cost of gas to the sent token, by the prices of both. */
export interface FeeRate {
  price: SendingPrice
  marginPercent: number
  /** Null if the native coin itself is sent. */
  exchange: { nativeUsd: Price['usd']; tokenUsd: Price['usd']; tokenDecimals: number } | null
}

const WEI_PER_NATIVE = 10n ** 18n

/** Binary digits of a fee: eight fees between two powers of two. */
const FEE_DIGITS = 4

/**
 * Returns the fee of one intent's transaction, with the margin, in the sent token's smallest unit. It is rounded up to
 * a fee that many quotes share. The call that pays it is public, and an exact fee would link the intents of a quote.
 */
export function networkFeeOf(size: TransactionSize, rate: FeeRate): bigint {
  const wei = divideUp(costOf(rate.price, size) * BigInt(100 + rate.marginPercent), 100n)
  return roundUpCoarsely(tokenOfWei(wei, rate), FEE_DIGITS)
}

/** Converts a token's smallest unit to wei, rounded down: the wei that a fee covers. */
export function weiOfToken(amount: bigint, { exchange }: Pick<FeeRate, 'exchange'>): bigint {
  if (!exchange) return amount
  const { nativeUsd, tokenUsd, tokenDecimals } = exchange
  return (amount * tokenUsd * WEI_PER_NATIVE) / (nativeUsd * 10n ** BigInt(tokenDecimals))
}

/** Converts wei to a token's smallest unit, rounded up. */
function tokenOfWei(wei: bigint, { exchange }: Pick<FeeRate, 'exchange'>): bigint {
  if (!exchange) return wei
  const { nativeUsd, tokenUsd, tokenDecimals } = exchange
  return divideUp(wei * nativeUsd * 10n ** BigInt(tokenDecimals), tokenUsd * WEI_PER_NATIVE)
}

const divideUp = (value: bigint, by: bigint) => (value + by - 1n) / by

/** Cost of gas in a token now, and the prices of both. */
export interface TokenRate extends FeeRate {
  /** Units of 10^-30 dollars per whole token, for display; null without a price. */
  tokenUsd: bigint | null
  /** The same price for the books; null if they do not count the token. */
  bookedUsd: bigint | null
  isListed: boolean
}

const HOUR_MS = 3_600_000
/** Most keys in the cache. */
const MAX_KNOWN = 2_000
/** Most that may be charged, as a multiple of the fee needed now. */
const MOST = 2n

/** Fees that this instance's quotes share within an hour, which hides the moment of each quote. */
export class SharedFees {
  readonly #known = new SharedPlaces<string, { hour: number; fee: bigint }>(MAX_KNOWN)
  readonly #clock: () => number

  /** @param clock Milliseconds since 1970. */
  constructor(clock: () => number = Date.now) {
    this.#clock = clock
  }

  /**
   * Returns a fee of the key that covers `fee`: the highest since the full hour, halved while it is over twice as much,
   * which leaves few different fees when the price falls.
   * @param key Fees of one key are in one token, and for the same calls.
   */
  cover(key: string, fee: bigint): bigint {
    const hour = Math.floor(this.#clock() / HOUR_MS)
    const last = this.#known.get(key)
    let shared = last?.hour === hour && last.fee > fee ? last.fee : fee
    this.#known.set(key, { hour, fee: shared })
    while (shared > MOST * fee) shared /= 2n
    return shared
  }
}
