/** EIP-1559 fees of one transaction, wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** The price of the next block, wei per gas. */
export interface Market {
  baseFee: bigint
  tip: bigint
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const most = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * Computes twice the base fee plus the tip, within the cap. This survives six full blocks (EIP-1559 lets the base fee rise by 1/8 a
 * block).
 */
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
  // A percentage of 0 is 0, and nodes refuse a replacement without a rise. So a fee of 0 counts as 1.
  const maxFeePerGas = most(raise(most(previous.maxFeePerGas, 1n)), now.maxFeePerGas)
  const maxPriorityFeePerGas = most(raise(most(previous.maxPriorityFeePerGas, 1n)), now.maxPriorityFeePerGas)
  if (maxFeePerGas > maxGasPrice || maxPriorityFeePerGas > maxFeePerGas) return null
  return { maxFeePerGas, maxPriorityFeePerGas }
}

/**
 * Fees of a form at the minimum that a node states, or at twice the previous fees where it states none. Null when the cap
 * leaves no room.
 * @param terms `bumpPercent`: the least rise of both fees; 0 where no node holds an earlier form.
 */
export function raiseToMinimum(
  previous: Fees,
  market: Market,
  terms: { minimum: Minimum | null; bumpPercent: number; maxGasPrice: bigint },
): Fees | null {
  const { minimum, bumpPercent, maxGasPrice } = terms
  const { tip, price } = leastFees(previous, market, minimum)
  if (minimum !== null && minimum.wei > maxGasPrice) return null
  const asked = { ...market, tip: most(market.tip, tip) }
  if (bumpPercent > 0) return bumpFees(previous, asked, { bumpPercent, maxGasPrice })
  const { maxFeePerGas } = computeFees(asked, maxGasPrice)
  const fees = {
    maxFeePerGas: least(maxGasPrice, most(maxFeePerGas, most(previous.maxFeePerGas, price))),
    maxPriorityFeePerGas: least(maxGasPrice, most(asked.tip, previous.maxPriorityFeePerGas)),
  }
  const isSame =
    fees.maxFeePerGas === previous.maxFeePerGas && fees.maxPriorityFeePerGas === previous.maxPriorityFeePerGas
  return isSame ? null : fees
}

/**
 * The least tip and price of a form. A minimum of the price includes the base fee. A minimum that the previous form met was
 * not in wei, or was not the reason.
 */
function leastFees(
  previous: Fees,
  { baseFee }: Market,
  minimum: Minimum | null,
): { tip: bigint; price: bigint } {
  const { maxFeePerGas, maxPriorityFeePerGas } = previous
  if (minimum?.of === 'tip' && minimum.wei > maxPriorityFeePerGas) return { tip: minimum.wei, price: 0n }
  if (minimum?.of === 'price' && minimum.wei > least(maxFeePerGas, baseFee + maxPriorityFeePerGas))
    return { tip: most(minimum.wei - baseFee, 0n), price: minimum.wei }
  return { tip: 2n * most(maxPriorityFeePerGas, 1n), price: 2n * maxFeePerGas }
}

/** True if a transaction with these fees can enter a block now. */
export function meetsMarket(fees: Fees, market: Market): boolean {
  return fees.maxFeePerGas >= market.baseFee + least(market.tip, fees.maxPriorityFeePerGas)
}

/** The least that a node accepts, in wei per gas, as its refusal states it: for the tip, or for the whole price. */
interface Minimum {
  of: 'tip' | 'price'
  wei: bigint
}

/** A number with more digits than any price is no price. */
const WEI = String.raw`['"(]?(\d{1,24})`

/** Formats of nodes; the first match counts. `classify-send-error.test.ts` has the messages. */
const STATED: readonly (readonly [RegExp, Minimum['of'], bigint?])[] = [
  [new RegExp(`gas tip cap \\d+, minimum needed ${WEI}`, 'i'), 'tip'],
  [new RegExp(`tip needed ${WEI}`, 'i'), 'tip'],
  [new RegExp(`pool gas tip cap ${WEI}`, 'i'), 'tip'],
  [new RegExp(`priority ?fee ?per ?gas too low \\d+ < ${WEI}`, 'i'), 'tip'],
  [new RegExp(`fee ?per ?gas needs to be higher than ${WEI}`, 'i'), 'price', 1n],
  [new RegExp(`minimum global gas price \\(\\S+ < ${WEI}`, 'i'), 'price', 1n],
  [new RegExp(`(?:priority ?fee|\\btip).{0,80}?(?:minimum|at least)[^\\d]{0,40}?${WEI}`, 'i'), 'tip'],
  [new RegExp(`(?:minimum|minimal|at least)[^\\d]{0,40}?${WEI}`, 'i'), 'price'],
]

/** Reads the minimum out of a refusal; null where it states none. */
export function findMinimum(message: string): Minimum | null {
  for (const [pattern, of, more = 0n] of STATED) {
    const found = pattern.exec(message)?.[1]
    if (found !== undefined) return { of, wei: BigInt(found) + more }
  }
  return null
}
