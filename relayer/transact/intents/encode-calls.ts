import { decodeAbiParameters, encodeAbiParameters, size, type Hex } from 'viem'
import type { Call } from './intent.ts'

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
