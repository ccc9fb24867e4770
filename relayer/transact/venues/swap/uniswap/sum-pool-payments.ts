import { decodeEventLog, parseAbi, toEventHash, type Address, type Hex } from 'viem'
import type { SimulatedRun } from '../../../intents/simulated-run.ts'

/** Event of Uniswap v3 pools; amounts are the pool's gain, negative for its payments. */
const swapAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
])
const SWAP = toEventHash('Swap(address,address,int256,int256,uint160,uint128,int24)')

/**
 * Sums the payments to an address that v3 pools report in a run, in the smallest unit of the paid tokens. The router
 * compares these reports with the minimum, but less arrives of a token that keeps a part of each transfer. Zero without
 * a payment.
 */
export function sumPoolPayments({ logs }: SimulatedRun, recipient: Address): bigint {
  const paid = recipient.slice(2).toLowerCase()
  return logs.reduce((sum, { topics, data }) => {
    // Payments to the next pool of a path are not decoded.
    if (topics[0] !== SWAP || topics.length !== 3 || !isWordOf(topics[2], paid)) return sum
    const { args } = decodeEventLog({
      abi: swapAbi,
      eventName: 'Swap',
      topics: topics as [`0x${string}`, ...`0x${string}`[]],
      data,
      strict: false,
    })
    const { amount0 = 0n, amount1 = 0n } = args
    return sum - (amount0 < amount1 ? amount0 : amount1)
  }, 0n)
}

/** True if a topic is the address with these digits: the last forty of the word. */
const isWordOf = (topic: Hex | undefined, digits: string) => topic?.slice(-40).toLowerCase() === digits
