import {
  decodeAbiParameters,
  encodeAbiParameters,
  size,
  type Hex,
  encodeFunctionData,
  erc20Abi,
  zeroAddress,
  type Address,
} from 'viem'
import type { Call } from './intent.ts'
import { orchestratorAbi } from './intent-abi.ts'

/** Calls in the encoding of ERC-7821. */
export const CALLS = [
  {
    type: 'tuple[]',
    components: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
] as const

/** Most calls of one intent. */
const MAX_CALLS = 64
/** Most bytes of one intent's executionData: half of the largest transaction that nodes accept. */
const MAX_EXECUTION_BYTES = 65_536

/**
 * Encodes the executionData of an intent: `abi.encode(Call[])` (ERC-7821), in lower case although an app’s
 * calldata may not be.
 */
export function encodeCalls(calls: readonly Call[]): Hex {
  return encodeAbiParameters(CALLS, [calls]).toLowerCase() as Hex
}

/**
 * Decodes the calls of an executionData. Null unless it is the canonical encoding of 1 to 64 calls within 64
 * KiB. Only the calls are signed, so exactly one encoding of a list may pass.
 */
export function decodeCalls(executionData: Hex): readonly Call[] | null {
  if (size(executionData) > MAX_EXECUTION_BYTES) return null
  try {
    const [calls] = decodeAbiParameters(CALLS, executionData)
    const fits = calls.length > 0 && calls.length <= MAX_CALLS
    return fits && encodeCalls(calls) === executionData.toLowerCase() ? calls : null
  } catch {
    return null
  }
}

/** Encodes a call that pays an amount of a token, or of the native coin if the token is the zero address. */
export function encodeTransfer(token: Address, to: Address, amount: bigint): Call {
  if (token === zeroAddress) return { to, value: amount, data: '0x' }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return { to: token, value: 0n, data }
}

/** Encodes the calldata that executes signed intents in order. */
export function encodeBatch(encoded: readonly Hex[]): Hex {
  const [only, ...more] = encoded
  if (!only) throw new RangeError('no intent to execute')
  return more.length === 0
    ? encodeFunctionData({ abi: orchestratorAbi, functionName: 'execute', args: [only] })
    : encodeFunctionData({ abi: orchestratorAbi, functionName: 'execute', args: [[...encoded]] })
}
