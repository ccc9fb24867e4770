// Reads from the calls of one address what they swap. Whatever is not exactly such a swap is refused.
import {
  decodeFunctionData,
  encodeFunctionData,
  isAddressEqual,
  parseAbi,
  size,
  slice,
  zeroAddress,
  type Abi,
  type Address,
  type DecodeFunctionDataReturnType,
  type Hex,
} from 'viem'
import type { Call } from './read-canonical-calls.ts'
import type { SwapOptions } from './swap.ts'

const tokenAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
])
const wrappedAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)'])
/** Of SwapRouter02 what swaps need. */
const routerAbi = parseAbi([
  'struct ExactInput { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function multicall(uint256 deadline, bytes[] data) payable',
  'function exactInput(ExactInput params) payable',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function refundETH() payable',
  'function sweepToken(address token, uint256 amountMinimum) payable',
])
/** By which SwapRouter02 means itself. */
const THE_ROUTER = '0x0000000000000000000000000000000000000002'

/** What the calls of one address swap, smallest units. */
export interface DecodedSwap {
  amountIn: bigint
  /** Less than this, and the calls fail together with everything else. */
  minimum: bigint
  recipient: Address
}

/** @throws Error for calls that are anything but a swap of this routing through known contracts. */
export function decodeSwap(calls: readonly Call[], routing: string, asked: SwapOptions): DecodedSwap {
  if (routing === 'WRAP') return decodeWrap(calls, asked)
  if (routing === 'UNWRAP') return decodeUnwrap(calls, asked)
  if (routing === 'CLASSIC') return decodeClassic(calls, asked)
  throw new Error(`this client cannot read a swap by ${routing}`)
}

function decodeWrap(calls: readonly Call[], { tokenIn, tokenOut, contracts }: SwapOptions): DecodedSwap {
  const [deposit, transfer] = demandCalls(calls, 2)
  demandTokens([tokenIn, zeroAddress], [tokenOut, contracts.wrapped])
  decode(wrappedAbi, 'deposit', demandTo(deposit, contracts.wrapped, deposit.value))
  const [recipient, amount] = decode(tokenAbi, 'transfer', demandTo(transfer, contracts.wrapped, 0n))
  if (amount !== deposit.value) throw new Error('a wrap passes on another amount')
  return { amountIn: amount, minimum: amount, recipient }
}

function decodeUnwrap(calls: readonly Call[], { tokenIn, tokenOut, contracts }: SwapOptions): DecodedSwap {
  const [withdraw, payment] = demandCalls(calls, 2)
  demandTokens([tokenIn, contracts.wrapped], [tokenOut, zeroAddress])
  const [amount] = decode(wrappedAbi, 'withdraw', demandTo(withdraw, contracts.wrapped, 0n))
  if (payment.data !== '0x' || payment.value !== amount) throw new Error('an unwrap passes on another amount')
  return { amountIn: amount, minimum: amount, recipient: payment.to }
}

/** [approve 0] approve exactly what is swapped, swap, approve 0; of native coins the swap alone. */
function decodeClassic(calls: readonly Call[], asked: SwapOptions): DecodedSwap {
  const { tokenIn, contracts } = asked
  const { router } = contracts
  if (!router) throw new Error('this client knows no router')
  const isSwap = ({ to }: Call) => isAddressEqual(to, router)
  const [swap] = demandCalls(calls.filter(isSwap), 1)
  const isNative = isAddressEqual(tokenIn, zeroAddress)
  const decoded = decodeRouterCall(swap, asked)
  if (swap.value !== (isNative ? decoded.amountIn : 0n)) throw new Error('a swap pays another amount')
  const approvals = calls.map((call) => {
    if (isSwap(call)) return 'swap'
    const [spender, amount] = decode(tokenAbi, 'approve', demandTo(call, tokenIn, 0n))
    if (!isAddressEqual(spender, router)) throw new Error('a call approves somebody else')
    return amount
  })
  const [first, ...later] = approvals[0] === 0n ? approvals.slice(1) : approvals
  const isExact = isNative
    ? calls.length === 1
    : first === decoded.amountIn && later.length === 2 && later[0] === 'swap' && later[1] === 0n
  if (!isExact) throw new Error('the approvals are not of exactly what is swapped, and taken back')
  return decoded
}

function decodeRouterCall(call: Call, { tokenIn, tokenOut, contracts }: SwapOptions): DecodedSwap {
  const [, parts] = decode(routerAbi, 'multicall', call)
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
    return { amountIn: first.amountIn, minimum: last.minimum, recipient: last.recipient }
  }
  const [[minimum, recipient]] = demandCalls(unwraps, 1)
  if (!isAddressEqual(last.recipient, THE_ROUTER)) throw new Error('the swap unwraps what it does not get')
  return { amountIn: first.amountIn, minimum, recipient }
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

/** @throws Error for another function, and for bytes behind its arguments or written otherwise than one writes them. */
function decode<const ABI extends Abi, Name extends string>(abi: ABI, name: Name, { data }: { data: Hex }) {
  const decoded = decodeAny(abi, data)
  if (decoded.functionName !== name)
    throw new Error(`a call of ${decoded.functionName} in the place of ${name}`)
  return decoded.args as Extract<DecodeFunctionDataReturnType<ABI>, { functionName: Name }>['args']
}

function decodeAny<const ABI extends Abi>(abi: ABI, data: Hex): DecodeFunctionDataReturnType<ABI> {
  const decoded = decodeFunctionData({ abi, data })
  if (encodeFunctionData({ abi, ...decoded } as never) !== data.toLowerCase())
    throw new Error('a call has bytes that its arguments do not need')
  return decoded
}

function demandCalls<Item>(items: readonly Item[], count: 1): [Item]
function demandCalls<Item>(items: readonly Item[], count: 2): [Item, Item]
function demandCalls<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length === count) return items
  throw new Error('the intent makes other calls than its swap needs')
}

function demandTo(call: Call, contract: Address, value: bigint): Call {
  if (isAddressEqual(call.to, contract) && call.value === value) return call
  throw new Error('an intent calls something else')
}

function demandTokens(...pairs: [Address, Address][]): void {
  if (pairs.some(([one, other]) => !isAddressEqual(one, other)))
    throw new Error('the intent swaps other tokens')
}
