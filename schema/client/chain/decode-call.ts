// SPDX-License-Identifier: MIT
// Decodes single calls strictly: bytes beyond the arguments and non-canonical encodings are refused.
import { tokenAbi } from './abis.ts'
import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  isAddressEqual,
  zeroAddress,
  type Abi,
  type Address,
  type DecodeFunctionDataReturnType,
  type Hex,
} from 'viem'
import type { Call } from './read-canonical-calls.ts'

const CALLS = [
  {
    type: 'tuple[]',
    components: [
      { type: 'address', name: 'to' },
      { type: 'uint256', name: 'value' },
      { type: 'bytes', name: 'data' },
    ],
  },
] as const

/** The calls that an intent makes as its address. @throws Error for extra bytes. */
export function decodeCalls(executionData: Hex): readonly Call[] {
  const [calls] = decodeAbiParameters(CALLS, executionData)
  if (encodeAbiParameters(CALLS, [calls]) !== executionData.toLowerCase())
    throw new Error('an intent has bytes that its calls do not need')
  return calls
}

/** @throws Error for a call that is no payment in the token. */
export function readPayment(call: Call, token: Address): { to: Address; amount: bigint } {
  if (isAddressEqual(token, zeroAddress)) {
    if (call.data !== '0x') throw new Error('an intent calls something else')
    return { to: call.to, amount: call.value }
  }
  const [to, amount] = decode(tokenAbi, 'transfer', demandTo(call, token, 0n))
  return { to, amount }
}

/** @throws Error for another function, for bytes behind the arguments, and for a non-canonical encoding. */
export function decode<const ABI extends Abi, Name extends string>(
  abi: ABI,
  name: Name,
  { data }: { data: Hex },
) {
  const decoded = decodeAny(abi, data)
  if (decoded.functionName !== name)
    throw new Error(`a call of ${decoded.functionName} in the place of ${name}`)
  return decoded.args as Extract<DecodeFunctionDataReturnType<ABI>, { functionName: Name }>['args']
}

/** The same for any function of an ABI. */
export function decodeAny<const ABI extends Abi>(abi: ABI, data: Hex): DecodeFunctionDataReturnType<ABI> {
  const decoded = decodeFunctionData({ abi, data })
  if (encodeFunctionData({ abi, ...decoded } as never) !== data.toLowerCase())
    throw new Error('a call has bytes that its arguments do not need')
  return decoded
}

/**
 * @throws Error unless the calls are one of the contract and, for a token, approvals around it: [0] exactly the amount, the
 * call, 0. The zero address is the native coin, which needs none.
 */
export function demandApprovals(
  calls: readonly Call[],
  { contract, token, amount }: { contract: Address; token: Address; amount: bigint },
): void {
  const approvals = calls.map((call) => {
    if (isAddressEqual(call.to, contract)) return 'call'
    const [spender, approved] = decode(tokenAbi, 'approve', demandTo(call, token, 0n))
    if (!isAddressEqual(spender, contract)) throw new Error('a call approves another spender')
    return approved
  })
  const [first, ...later] = approvals[0] === 0n ? approvals.slice(1) : approvals
  const isExact = isAddressEqual(token, zeroAddress)
    ? calls.length === 1
    : first === amount && later.length === 2 && later[0] === 'call' && later[1] === 0n
  if (!isExact) throw new Error('the approvals are not of exactly what is taken, and taken back')
}

export function demandCalls<Item>(items: readonly Item[], count: 1): [Item]
export function demandCalls<Item>(items: readonly Item[], count: 2): [Item, Item]
export function demandCalls<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length === count) return items
  throw new Error('the intent makes other calls than its swap needs')
}

export function demandTo(call: Call, contract: Address, value: bigint): Call {
  if (isAddressEqual(call.to, contract) && call.value === value) return call
  throw new Error('an intent calls something else')
}

export function demandTokens(...pairs: [Address, Address][]): void {
  if (pairs.some(([one, other]) => !isAddressEqual(one, other)))
    throw new Error('the intent swaps other tokens')
}
