// SPDX-License-Identifier: MIT
// Decodes the calls of one address that swap. Anything that is not exactly such a swap is refused.
import { routerAbi, tokenAbi, wrappedAbi } from '../chain/abis.ts'
import { isAddressEqual, size, slice, zeroAddress, type Address, type Hex } from 'viem'
import {
  decode,
  decodeAny,
  demandApprovals,
  demandCalls,
  demandTo,
  demandTokens,
} from '../chain/decode-call.ts'
import type { Call } from '../chain/read-canonical-calls.ts'
import type { SwapContracts, SwapOptions } from './swap.ts'

/** Tokens, and the contracts of their chain. */
export type SwapTerms = Pick<SwapOptions, 'tokenIn' | 'tokenOut'> & { contracts: SwapContracts }

/** The value by which SwapRouter02 refers to itself. */
const THE_ROUTER = '0x0000000000000000000000000000000000000002'

/** The swap in the calls of one address, smallest units. */
export interface DecodedSwap {
  amountIn: bigint
  /** With less than this the calls revert together with everything else. */
  minimum: bigint
  recipient: Address
  /** Seconds since 1970 after which the calls fail; null without a deadline. */
  deadline: bigint | null
}

/** @throws Error for calls that are anything but a swap of this routing through known contracts. */
export function decodeSwap(calls: readonly Call[], routing: string, asked: SwapTerms): DecodedSwap {
  if (routing === 'WRAP') return decodeWrap(calls, asked)
  if (routing === 'UNWRAP') return decodeUnwrap(calls, asked)
  if (routing === 'CLASSIC') return decodeClassic(calls, asked)
  throw new Error(`this client cannot read a swap by ${routing}`)
}

function decodeWrap(calls: readonly Call[], { tokenIn, tokenOut, contracts }: SwapTerms): DecodedSwap {
  const [deposit, transfer] = demandCalls(calls, 2)
  demandTokens([tokenIn, zeroAddress], [tokenOut, contracts.wrapped])
  decode(wrappedAbi, 'deposit', demandTo(deposit, contracts.wrapped, deposit.value))
  const [recipient, amount] = decode(tokenAbi, 'transfer', demandTo(transfer, contracts.wrapped, 0n))
  if (amount !== deposit.value) throw new Error('a wrap passes on another amount')
  return { amountIn: amount, minimum: amount, recipient, deadline: null }
}

function decodeUnwrap(calls: readonly Call[], { tokenIn, tokenOut, contracts }: SwapTerms): DecodedSwap {
  const [withdraw, payment] = demandCalls(calls, 2)
  demandTokens([tokenIn, contracts.wrapped], [tokenOut, zeroAddress])
  const [amount] = decode(wrappedAbi, 'withdraw', demandTo(withdraw, contracts.wrapped, 0n))
  if (payment.data !== '0x' || payment.value !== amount) throw new Error('an unwrap passes on another amount')
  return { amountIn: amount, minimum: amount, recipient: payment.to, deadline: null }
}

/** [approve 0] approve exactly the swapped amount, swap, approve 0; of native coins the swap alone. */
function decodeClassic(calls: readonly Call[], asked: SwapTerms): DecodedSwap {
  const { tokenIn, contracts } = asked
  const { router } = contracts
  if (!router) throw new Error('this client knows no router')
  const [swap] = demandCalls(
    calls.filter(({ to }) => isAddressEqual(to, router)),
    1,
  )
  const decoded = decodeRouterCall(swap, asked)
  const { amountIn } = decoded
  if (swap.value !== (isAddressEqual(tokenIn, zeroAddress) ? amountIn : 0n))
    throw new Error('a swap pays another amount')
  demandApprovals(calls, { contract: router, token: tokenIn, amount: amountIn })
  return decoded
}

function decodeRouterCall(call: Call, { tokenIn, tokenOut, contracts }: SwapTerms): DecodedSwap {
  const [deadline, parts] = decode(routerAbi, 'multicall', call)
  const legs = parts.flatMap((data) => readLeg(data) ?? [])
  const rest = parts.slice(legs.length).map((data) => decodeAny(routerAbi, data))
  const [first, last] = [legs[0], legs.at(-1)]
  if (!first || !last) throw new Error('the router is told to swap nothing')
  const { wrapped } = contracts
  const asToken = (token: Address) => (isAddressEqual(token, zeroAddress) ? wrapped : token)
  demandTokens([first.from, asToken(tokenIn)], [last.to, asToken(tokenOut)])
  for (const [place, leg] of legs.slice(1).entries()) {
    const before = legs[place]
    if (!before || !isAddressEqual(before.to, leg.from) || !isAddressEqual(before.recipient, THE_ROUTER))
      throw new Error('the legs of the swap do not follow each other')
    if (leg.amountIn !== 0n) throw new Error('a later leg takes an amount of its own')
  }
  const unwraps = rest.flatMap((one) => (one.functionName === 'unwrapWETH9' ? [one.args] : []))
  const isRest = ({ functionName }: { functionName: string }) =>
    ['unwrapWETH9', 'refundETH', 'sweepToken'].includes(functionName)
  if (!rest.every(isRest)) throw new Error('the router is told to do something else')
  if (isAddressEqual(tokenIn, zeroAddress) && !rest.some((one) => one.functionName === 'refundETH'))
    throw new Error('what the pools do not take would stay with the router')
  if (!isAddressEqual(tokenOut, zeroAddress)) {
    if (unwraps.length > 0) throw new Error('the router is told to do something else')
    return { amountIn: first.amountIn, minimum: last.minimum, recipient: last.recipient, deadline }
  }
  const [[minimum, recipient]] = demandCalls(unwraps, 1)
  if (!isAddressEqual(last.recipient, THE_ROUTER)) throw new Error('the swap unwraps what it does not get')
  return { amountIn: first.amountIn, minimum, recipient, deadline }
}

/** A swap through pools of one version; null for any other call of the router. */
function readLeg(data: Hex) {
  const { functionName, args } = decodeAny(routerAbi, data)
  if (functionName === 'swapExactTokensForTokens') {
    const [amountIn, minimum, path, recipient] = args
    const [from, to] = [path[0], path.at(-1)]
    if (!from || !to) throw new Error('a path without tokens')
    return { from, to, amountIn, minimum, recipient }
  }
  if (functionName !== 'exactInput') return null
  const { path, recipient, amountIn, amountOutMinimum: minimum } = args[0]
  const [from, to] = [slice(path, 0, 20), slice(path, size(path) - 20)]
  return { from, to, amountIn, minimum, recipient }
}
