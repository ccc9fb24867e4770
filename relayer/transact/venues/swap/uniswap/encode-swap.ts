import {
  concatHex,
  encodeFunctionData,
  encodePacked,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { withApproval, type Call } from '../../../intents/intent.ts'
import type { SwapPart } from '../swap-venue.ts'
import type { Hop, PoolHop } from './swap-path.ts'

/** Functions of SwapRouter02 for swaps. */
export const routerAbi = parseAbi([
  'struct ExactInput { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
  'function exactInput(ExactInput params) payable returns (uint256 amountOut)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256 amountOut)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function refundETH() payable',
  'function sweepToken(address token, uint256 amountMinimum) payable',
])

/** Recipient that stands for the router itself (Constants.ADDRESS_THIS). */
const THE_ROUTER: Address = '0x0000000000000000000000000000000000000002'
/** Amount that stands for the router's whole balance of a token (Constants.CONTRACT_BALANCE). */
const ALL_IT_HAS = 0n

/** The tokens, the path and the router of an exchange. The zero address is the native coin. */
export interface SwapOrder {
  router: Address
  tokenIn: Address
  tokenOut: Address
  hops: readonly Hop[]
}

/**
 * Encodes the calls of one address: the swap between an approval and its reset. The minimum is in the last leg, and for
 * native coins also in the unwrapping.
 */
export function encodeSwapCalls(order: SwapOrder, part: SwapPart): readonly Call[] {
  const { router, tokenIn } = order
  const data = encodeFunctionData({
    abi: routerAbi,
    functionName: 'multicall',
    args: [part.deadline, encodeRouterCalls(order, part)],
  })
  if (tokenIn === zeroAddress) return [{ to: router, value: part.amountIn, data }]
  const { amountIn: amount, allowance } = part
  // A pool that runs dry takes less than the approved amount.
  return withApproval({ token: tokenIn, spender: router, amount, allowance }, [
    { to: router, value: 0n, data },
  ])
}

function encodeRouterCalls({ tokenIn, tokenOut, hops }: SwapOrder, part: SwapPart): Hex[] {
  const { recipient, amountIn, minimum } = part
  const isUnwrapped = tokenOut === zeroAddress
  const legs = legsOf(hops)
  const calls = legs.map((leg, place) => {
    const isLast = place === legs.length - 1
    return encodeLeg(leg, {
      amountIn: place === 0 ? amountIn : ALL_IT_HAS,
      minimum: isLast ? minimum : 0n,
      recipient: isLast && !isUnwrapped ? recipient : THE_ROUTER,
    })
  })
  if (isUnwrapped)
    calls.push(
      encodeFunctionData({ abi: routerAbi, functionName: 'unwrapWETH9', args: [minimum, recipient] }),
    )
  // A pool that runs dry leaves tokens with the router, which anybody could take.
  for (const { version, tokenIn: token } of hops.slice(1))
    if (version === 3)
      calls.push(encodeFunctionData({ abi: routerAbi, functionName: 'sweepToken', args: [token, 0n] }))
  if (tokenIn === zeroAddress) calls.push(encodeFunctionData({ abi: routerAbi, functionName: 'refundETH' }))
  return calls
}

/** Groups consecutive hops through pools of one version: each function of the router accepts one version. */
function legsOf(hops: readonly Hop[]): readonly (readonly Hop[])[] {
  const legs: Hop[][] = []
  for (const hop of hops) {
    const last = legs.at(-1)
    if (last?.[0]?.version === hop.version) last.push(hop)
    else legs.push([hop])
  }
  return legs
}

interface LegTerms {
  amountIn: bigint
  minimum: bigint
  recipient: Address
}

function encodeLeg(leg: readonly Hop[], { amountIn, minimum, recipient }: LegTerms): Hex {
  const pools = leg.filter((hop) => hop.version === 3)
  const tokens = leg.slice(0, 1).map(({ tokenIn }) => tokenIn)
  const path = [...tokens, ...leg.map(({ tokenOut }) => tokenOut)]
  if (pools.length === 0)
    return encodeFunctionData({
      abi: routerAbi,
      functionName: 'swapExactTokensForTokens',
      args: [amountIn, minimum, path, recipient],
    })
  return encodeFunctionData({
    abi: routerAbi,
    functionName: 'exactInput',
    args: [{ path: encodePath(tokens, pools), recipient, amountIn, amountOutMinimum: minimum }],
  })
}

/** Encodes a path as token ‖ fee ‖ token ‖ …, the format of Path.sol in v3-periphery. */
const encodePath = (first: readonly Address[], pools: readonly PoolHop[]): Hex =>
  concatHex([
    ...first,
    ...pools.map(({ fee, tokenOut }) => encodePacked(['uint24', 'address'], [fee, tokenOut])),
  ])
