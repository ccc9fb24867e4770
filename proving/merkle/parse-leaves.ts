import { FIELD_ORDER } from '../field-element.ts'

/** Bytes of a leaf in a list of leaves: big-endian. */
export const LEAF_BYTES = 32

const MEMBER = '"aspLeaves"'
const DIGITS = 77
/** Longer lists are refused. */
const MOST_LEAVES = 1_000_000

/**
 * Reads the leaves out of an ASP's answer: the member `aspLeaves`, a list of decimal strings. It parses the bytes without
 * making text of them, so an answer of many megabytes needs no more memory than its leaves.
 *
 * @returns 32 bytes for each leaf. Null unless the list is well formed, has at most a million leaves, and each is above 0
 * and below r. It ignores everything around the list: the caller hashes the leaves.
 */
export function parseLeaves(answer: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  const member = bytes.indexOf(MEMBER)
  if (member < 0) return null
  let at = member + MEMBER.length
  const skip = () => {
    while (isSpace(bytes[at])) at += 1
  }
  /** Consumes the next character if it is the given one; false otherwise. */
  const take = (character: string): boolean => {
    skip()
    if (bytes[at] !== character.charCodeAt(0)) return false
    at += 1
    return true
  }
  if (!take(':') || !take('[')) return null
  const leaves = Buffer.allocUnsafe(Math.min(MOST_LEAVES, countLeaves(bytes.subarray(at))) * LEAF_BYTES)
  let size = 0
  if (take(']')) return new Uint8Array()
  do {
    if (!take('"')) return null
    const start = at
    while (isDigit(bytes[at]) && at - start <= DIGITS) at += 1
    if (at === start || at - start > DIGITS || bytes[at] !== 0x22) return null
    const leaf = BigInt(bytes.toString('latin1', start, at))
    if (leaf === 0n || leaf >= FIELD_ORDER) return null
    at += 1
    if (size === leaves.length) return null
    leaves.write(leaf.toString(16).padStart(2 * LEAF_BYTES, '0'), size, 'hex')
    size += LEAF_BYTES
  } while (take(','))
  return take(']') ? Uint8Array.from(leaves.subarray(0, size)) : null
}

/** Upper bound of the leaves that follow: each has two quotation marks. */
function countLeaves(bytes: Buffer): number {
  let marks = 0
  for (const byte of bytes) if (byte === 0x22) marks += 1
  return Math.ceil(marks / 2)
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
