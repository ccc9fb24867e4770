import { parseAbi, type Address, type PublicClient } from 'viem'

const poolAbi = parseAbi([
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulativeX128s)',
  'function token0() view returns (address)',
])

const Q128 = 1n << 128n
const WEI_PER_NATIVE = 10n ** 18n
/** Uniswap v3 core, TickMath: the highest tick that a price can have. */
const MAX_TICK = 887_272

/** sqrt(1.0001^-(2^i)) in Q128.128, the multipliers of TickMath.getSqrtRatioAtTick (Uniswap v3 core). */
const TICK_FACTORS = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
]

/** 1.0001^(-|tick|/2) in Q128.128. */
function sqrtOfNegativeTick(tick: number): bigint {
  return TICK_FACTORS.reduce(
    (value, factor, bit) => ((tick >> bit) & 1 ? (value * factor) >> 128n : value),
    Q128,
  )
}

/**
 * Returns the smallest units of `token` that 10^18 units of the pool's other token are worth at a tick.
 * At tick t one unit of token0 is worth 1.0001^t units of token1. Exported for its test, which covers ticks that no
 * pool of a devnet reaches.
 */
export function quoteAtTick(tick: number, tokenIsToken0: boolean): bigint {
  if (!Number.isInteger(tick) || Math.abs(tick) > MAX_TICK) throw new RangeError(`no price at tick ${tick}`)
  const sqrt = sqrtOfNegativeTick(Math.abs(tick))
  const small = sqrt * sqrt // 1.0001^-|tick| in Q256
  const worthLess = tick < 0 !== tokenIsToken0
  return worthLess ? (WEI_PER_NATIVE * small) >> 256n : (WEI_PER_NATIVE << 256n) / small
}

/**
 * Reads a token's time-weighted average price against the wrapped native coin from a Uniswap v3 pool (v3 whitepaper
 * 5.2). Returns smallest units of `token` for 10^18 wei. One round trip. Throws if the pool has no observations that
 * old.
 */
export async function readTwap(
  client: PublicClient,
  token: Address,
  pool: Address,
  windowSeconds: number,
): Promise<bigint> {
  const [[cumulatives], token0] = await Promise.all([
    client.readContract({ address: pool, abi: poolAbi, functionName: 'observe', args: [[windowSeconds, 0]] }),
    client.readContract({ address: pool, abi: poolAbi, functionName: 'token0' }),
  ])
  const [before, now] = cumulatives
  if (before === undefined || now === undefined)
    throw new Error('the price pool answered without observations')
  // Rounds towards minus infinity, as OracleLibrary.consult does.
  const tick = Math.floor(Number(now - before) / windowSeconds)
  return quoteAtTick(tick, token0.toLowerCase() === token.toLowerCase())
}
