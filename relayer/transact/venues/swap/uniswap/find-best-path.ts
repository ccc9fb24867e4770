import { refuseSilence } from '../../../errors.ts'
import {
  BaseError,
  decodeAbiParameters,
  encodeAbiParameters,
  isAddressEqual,
  parseAbiParameters,
  zeroAddress,
  type Address,
  type PublicClient,
} from 'viem'
import type { UniswapConfig } from '../../../../chain/nodes/venues-config.ts'
import { orAborted } from '../../../../concurrency/run-contained.ts'
import { ROUTE_QUOTES_CODE } from './route-quotes-code.ts'
import type { Hop, SwapPath } from './swap-path.ts'

/** Parameters of contracts/RouteQuotes.sol. */
const input = parseAbiParameters([
  'Market market, uint256 amountIn, address[] tokens',
  'struct Market { address quoter; address poolFactory; address pairFactory; uint24[] fees; uint256 gasEach; uint256 hopCost; }',
])
const output = parseAbiParameters([
  'uint256 best, Hop[] hops',
  'struct Hop { address tokenIn; address tokenOut; uint24 fee; uint256 state; uint256 detail; bool isAveraged; int256 tickSum; }',
])
/** Replaces the fee of a pair of v2. */
const PAIR = 0x800000
/** A quote takes about 100,000 gas, and 25,000 for each price range that it uses up. */
const GAS_EACH = 500_000n
const AVERAGE_SECONDS = 600

/** Request for a path; both tokens are contracts, the wrapped coin for the native one. Smallest units. */
export interface WantedPath {
  tokenIn: Address
  tokenOut: Address
  amountIn: bigint
  /** Value of one more hop's gas in `tokenOut`. */
  hopCost: bigint
  /** Tokens that the path may go through. */
  between: readonly Address[]
}

/**
 * Finds the path of at most three hops with the largest output less the gas of its hops. It covers all existing pools
 * of v2 and v3 at the newest block, by one eth_call. Null if no path has an output.
 * @throws ServiceError `unavailable` when the node does not answer in time.
 */
export async function findBestPath(
  client: PublicClient,
  { quoter, v3Factory, v2Factory = zeroAddress, feeTiers, timeoutMs }: UniswapConfig,
  { tokenIn, tokenOut, amountIn, hopCost, between }: WantedPath,
): Promise<SwapPath | null> {
  const others = between.filter(
    (token, place) =>
      !isAddressEqual(token, tokenIn) &&
      !isAddressEqual(token, tokenOut) &&
      between.findIndex((earlier) => isAddressEqual(earlier, token)) === place,
  )
  const market = {
    quoter,
    poolFactory: v3Factory,
    pairFactory: v2Factory,
    fees: feeTiers,
    gasEach: GAS_EACH,
    hopCost,
  }
  const asked = encodeAbiParameters(input, [market, amountIn, [tokenIn, tokenOut, ...others]])
  try {
    const { data } = await orAborted(
      client.call({ data: `${ROUTE_QUOTES_CODE}${asked.slice(2)}` }),
      AbortSignal.timeout(timeoutMs),
    )
    const [expected, hops] = decodeAbiParameters(output, data ?? '0x')
    return expected === 0n ? null : { expected, hops: hops.map(readHop) }
  } catch (cause) {
    // The constructor reverts for no input: a node that does not run it is silent, or limits the gas of calls too much.
    if (cause instanceof BaseError || (cause instanceof Error && cause.name === 'TimeoutError'))
      return refuseSilence(cause)
    throw cause
  }
}

interface HopAnswer {
  tokenIn: Address
  tokenOut: Address
  fee: number
  state: bigint
  detail: bigint
  isAveraged: boolean
  tickSum: bigint
}

function readHop({ tokenIn, tokenOut, fee, state, detail, isAveraged, tickSum }: HopAnswer): Hop {
  const ends = { tokenIn, tokenOut }
  if (fee === PAIR) return { ...ends, version: 2, reserveIn: state, reserveOut: detail }
  // Rounded down, as OracleLibrary.consult does.
  const averageTick = isAveraged ? Math.floor(Number(tickSum) / AVERAGE_SECONDS) : null
  return { ...ends, version: 3, fee, sqrtPrice: state, tick: Number(BigInt.asIntN(24, detail)), averageTick }
}
