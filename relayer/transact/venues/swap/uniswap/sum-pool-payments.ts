import { decodeEventLog, isAddressEqual, parseAbi, toEventHash, type Address } from 'viem'
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
  return logs.reduce((sum, { topics, data }) => {
    if (topics[0] !== SWAP || topics.length !== 3) return sum
    const { args } = decodeEventLog({
      abi: swapAbi,
      eventName: 'Swap',
      topics: topics as [`0x${string}`, ...`0x${string}`[]],
      data,
      strict: false,
    })
    const { recipient: paid, amount0 = 0n, amount1 = 0n } = args
    if (!paid || !isAddressEqual(paid, recipient)) return sum
    return sum - (amount0 < amount1 ? amount0 : amount1)
  }, 0n)
}
