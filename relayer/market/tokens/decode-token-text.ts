import { hexToBigInt, hexToBytes, size, slice, type Hex } from 'viem'

/**
 * Decodes the possibly truncated answer of a token's symbol() or name(). It is a string by the ABI, or the bytes32 of
 * older tokens. Invalid UTF-8 becomes U+FFFD. Null if it is neither.
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

/** Decodes the number from decimals() or totalSupply(); null if the answer is shorter than a word. */
export function decodeTokenNumber(data: Hex): bigint | null {
  return size(data) < 32 ? null : hexToBigInt(slice(data, 0, 32))
}

function trimZeros(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

const toText = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
