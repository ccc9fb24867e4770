import { decodeEventLog, parseAbi, toEventHash, type Address, type Hex } from 'viem'
import type { SimulatedRun } from '../../../intents/simulated-run.ts'

/** Of pools of Uniswap v3; amounts are the pool's gain, negative for what it gives. */
const swapAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
])
const SWAP = toEventHash('Swap(address,address,int256,int256,uint160,uint128,int24)')

/**
 * What pools of v3 say that they gave an address in a run, in the smallest unit of whatever they gave: the router holds them
 * to the minimum by that, and a token that keeps a part of each transfer lets less arrive. Zero where none gave it anything.
 */
export function sumPoolPayments({ logs }: Pick<SimulatedRun, 'logs'>, recipient: Address): bigint {
  const paid = recipient.slice(2).toLowerCase()
  return logs.reduce((sum, { topics, data }) => {
    // Pools that pay the next pool of a path are not worth decoding.
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

/** Whether a topic holds the address of these digits: of its word the last forty. */
const isWordOf = (topic: Hex | undefined, digits: string) => topic?.slice(-40).toLowerCase() === digits
