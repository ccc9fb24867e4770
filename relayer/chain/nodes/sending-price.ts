import type { Chain } from './chain.ts'

/** The figures of a transaction that decide its cost. */
export interface TransactionSize {
  /** Gas that it uses. */
  gas: bigint
  /** Bytes without its signature. */
  bytes: number
}

/** Sizes in bytes for which the L1 fee is read. Below the smaller one its fee is used; none of our transactions is that small. */
export const L1_SIZES = { small: 256, large: 131_328 } as const
/** Gas for which the operator fee is read, beside none. */
export const OPERATOR_GAS = 1_000_000_000n

/** A chain's charges in addition to gas, as of one head: points of two lines, in wei. */
export interface ExtraFees {
  /** L1 fee of {@link L1_SIZES}. */
  l1Small: bigint
  l1Large: bigint
  /** Operator fee of no gas, and of {@link OPERATOR_GAS}. */
  operatorLeast: bigint
  operatorLarge: bigint
}

/** The fees of a chain that charges for gas alone. */
export const NO_EXTRA_FEES: ExtraFees = { l1Small: 0n, l1Large: 0n, operatorLeast: 0n, operatorLarge: 0n }

/** The price of sending on a chain, as of one head. */
export interface SendingPrice {
  /** Wei per gas that a transaction sent now may cost in the next block. */
  gasPrice: bigint
  extra: ExtraFees
}

/** Returns the wei that a transaction costs in addition to gas · gas price, rounded up. */
export function extraFeeOf(extra: ExtraFees, { gas, bytes }: TransactionSize): bigint {
  const beyond = BigInt(Math.max(0, bytes - L1_SIZES.small))
  const length = BigInt(L1_SIZES.large - L1_SIZES.small)
  return (
    extra.l1Small +
    divideUp((extra.l1Large - extra.l1Small) * beyond, length) +
    extra.operatorLeast +
    divideUp((extra.operatorLarge - extra.operatorLeast) * gas, OPERATOR_GAS)
  )
}

/**
 * Returns the wei that sending a transaction costs; the one function for quotes, submissions, batches, relays and estimates.
 */
export const costOf = ({ gasPrice, extra }: SendingPrice, size: TransactionSize): bigint =>
  size.gas * gasPrice + extraFeeOf(extra, size)

const divideUp = (value: bigint, by: bigint) => (value + by - 1n) / by

/** Gas prices of one chain, as of its newest head. */
export interface GasPrices {
  /** Wei per gas that a transaction sent now may cost in the next block; null before the first head. */
  gasPrice(): bigint | null
  /** The same with the chain's charges in addition to gas; null until both are known. */
  sendingPrice(): SendingPrice | null
}

/**
 * Computes the gas price of a chain: the next block's highest base fee plus the suggested tip. EIP-1559 lets the base fee
 * rise by 1/8 a block. Makes no request.
 */
export function createGasPrices(chain: Chain): GasPrices {
  function gasPrice(): bigint | null {
    const [head, tip] = [chain.head(), chain.tip()]
    if (!head || tip === null) return null
    return (head.baseFeePerGas * 9n) / 8n + tip
  }
  return {
    gasPrice,
    sendingPrice() {
      const [price, extra] = [gasPrice(), chain.extraFees()]
      return price === null || extra === null ? null : { gasPrice: price, extra }
    },
  }
}
