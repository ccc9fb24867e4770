/** EIP-1559 fees of one transaction, wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** What the next block asks for, wei per gas. */
export interface Market {
  baseFee: bigint
  tip: bigint
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const most = (a: bigint, b: bigint) => (a > b ? a : b)

/** Twice the base fee and the tip, which survives six full blocks (EIP-1559 lets the base fee rise by 1/8 a block), within the cap. */
export function computeFees(market: Market, maxGasPrice: bigint): Fees {
  const maxFeePerGas = least(maxGasPrice, 2n * market.baseFee + market.tip)
  return { maxFeePerGas, maxPriorityFeePerGas: least(market.tip, maxFeePerGas) }
}

/**
 * Fees of a replacement: both at least `bumpPercent` (rounded up) above `previous`, and no less than the market's.
 * Null when the cap leaves no room for that.
 */
export function bumpFees(
  previous: Fees,
  market: Market,
  { bumpPercent, maxGasPrice }: { bumpPercent: number; maxGasPrice: bigint },
): Fees | null {
  const hundredths = BigInt(Math.ceil(bumpPercent * 100))
  const raise = (fee: bigint) => (fee * (10_000n + hundredths) + 9_999n) / 10_000n
  const now = computeFees(market, maxGasPrice)
  // A node counts a rise of nothing as none, so that a fee of 0 becomes 1.
  const maxFeePerGas = most(raise(most(previous.maxFeePerGas, 1n)), now.maxFeePerGas)
  const maxPriorityFeePerGas = most(raise(most(previous.maxPriorityFeePerGas, 1n)), now.maxPriorityFeePerGas)
  if (maxFeePerGas > maxGasPrice || maxPriorityFeePerGas > maxFeePerGas) return null
  return { maxFeePerGas, maxPriorityFeePerGas }
}

/** Whether a transaction with these fees can enter a block now. */
export function meetsMarket(fees: Fees, market: Market): boolean {
  return fees.maxFeePerGas >= market.baseFee + least(market.tip, fees.maxPriorityFeePerGas)
}
