import { decodeErrorResult, type Abi } from 'viem'
import type { RevertReason } from '../simulate-job.ts'
import type { Hex } from './provider.ts'

const MAX_TEXT = 1_000
/** Depth to which errors inside errors are read. */
const MAX_NESTING = 3

/** Codes of Solidity's Panic(uint256), from its documentation. */
const PANICS = new Map([
  [0x01n, 'assertion failed'],
  [0x11n, 'arithmetic overflow or underflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'conversion to an enum out of range'],
  [0x22n, 'badly encoded storage byte array'],
  [0x31n, 'pop of an empty array'],
  [0x32n, 'array index out of bounds'],
  [0x41n, 'too much memory allocated'],
  [0x51n, 'call of an uninitialised internal function'],
])

/** viem adds Error and Panic to any ABI. */
function decode(data: Hex, errorAbi: readonly unknown[]) {
  try {
    return decodeErrorResult({ abi: errorAbi as Abi, data })
  } catch {
    return null
  }
}

function describeArgument(value: unknown, errorAbi: readonly unknown[], depth: number): string {
  if (
    typeof value === 'string' &&
    /^0x[0-9a-f]{8,}$/i.test(value) &&
    value.length !== 42 &&
    depth < MAX_NESTING
  ) {
    const inner = decode(value as Hex, errorAbi)
    if (inner) return `${inner.errorName}(${describeArguments(inner, errorAbi, depth + 1)})`
  }
  if (typeof value === 'object') {
    return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
  }
  return typeof value === 'string' ? value : `${value as bigint | number | boolean}`
}

function describeArguments(
  { errorName, args }: { errorName: string; args?: readonly unknown[] | undefined },
  errorAbi: readonly unknown[],
  depth: number,
): string {
  const [first] = args ?? []
  if (errorName === 'Panic' && typeof first === 'bigint') {
    return `0x${first.toString(16).padStart(2, '0')} ${PANICS.get(first) ?? 'unknown panic'}`
  }
  return (args ?? []).map((value) => describeArgument(value, errorAbi, depth)).join(', ')
}

/** Decodes revert data by the given ABI; `message` replaces it where there is none. */
export function decodeRevert(data: Hex, errorAbi: readonly unknown[], message: string): RevertReason {
  const decoded = decode(data, errorAbi)
  if (decoded) {
    return { name: decoded.errorName, text: describeArguments(decoded, errorAbi, 0).slice(0, MAX_TEXT) }
  }
  return { name: null, text: (data === '0x' ? message : data).slice(0, MAX_TEXT) }
}
