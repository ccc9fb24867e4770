import { hexToBigInt, hexToBytes, size, slice, type Hex } from 'viem'

/**
 * The text that a token's symbol() or name() returned, possibly cut off: a string as the ABI has it, or the bytes32 of
 * tokens older than that. Bytes that are no UTF-8 become U+FFFD. Null when it is neither.
 */
export function decodeTokenText(data: Hex): string | null {
  const length = size(data)
  if (length === 32) return toText(trimZeros(hexToBytes(data)))
  if (length < 64) return null
  const offset = hexToBigInt(slice(data, 0, 32))
  if (offset > BigInt(length - 32)) return null
  const start = Number(offset) + 32
  const declared = hexToBigInt(slice(data, Number(offset), start))
  const available = BigInt(length - start)
  const taken = Number(declared < available ? declared : available)
  return taken === 0 ? '' : toText(hexToBytes(slice(data, start, start + taken)))
}

/** The number that decimals() or totalSupply() returned; null when it returned no word. */
export function decodeTokenNumber(data: Hex): bigint | null {
  return size(data) < 32 ? null : hexToBigInt(slice(data, 0, 32))
}

function trimZeros(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

const toText = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
