import { decodeAbiParameters, encodeAbiParameters, size, type Hex } from 'viem'
import type { Call } from './intent.ts'

/** Calls as contracts of ERC-7821 read them. */
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

/** Calls of one intent at most. */
const MAX_CALLS = 64
/** Bytes of one intent's executionData at most: half of what nodes take as one transaction. */
const MAX_EXECUTION_BYTES = 65_536

/** The executionData of an intent: `abi.encode(Call[])` (ERC-7821), in lower case although an app’s calldata may not be. */
export function encodeCalls(calls: readonly Call[]): Hex {
  return encodeAbiParameters(CALLS, [calls]).toLowerCase() as Hex
}

/**
 * The calls of an executionData, or null when it is not the one encoding of at least one and at most 64 calls within
 * 64 KiB. Only the calls are signed, so of all the encodings of one list just one may pass.
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
