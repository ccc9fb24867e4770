import { crc32 } from 'node:zlib'
import type { PackedText } from '../../relayer/packed-text.ts'

/** RFC 1952: deflate, no name, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The last block of a deflate stream, without content. */
const LAST_BLOCK = Buffer.from([3, 0])
/** The polynomial of gzip's CRC, its bits reversed. */
const POLYNOMIAL = 0xedb88320
/** The polynomials 1 and x, whose bits are reversed as well. */
const ONE = 0x80000000
const X = 0x40000000

/** A short text as one uncompressed block of deflate. */
export function storeText(text: string): PackedText {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(~bytes.length & 0xffff, 3)
  return { deflated: Buffer.concat([head, bytes]), length: bytes.length, crc: crc32(bytes) }
}

/**
 * Joins separately compressed texts into one gzip member, because browsers read the first member of a body and ignore
 * others. Nothing is compressed again: the CRC of the whole follows from the CRCs of the texts.
 */
export function joinGzip(texts: readonly PackedText[]): Buffer[] {
  let crc = 0
  let length = 0
  for (const text of texts) {
    crc = joinCrc(crc, text.crc, text.length)
    length += text.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  return [HEADER, ...texts.map(({ deflated }) => deflated), LAST_BLOCK, trailer]
}

/** The CRC of two texts one after the other: the first's moves up by as many zero bytes as the second has. */
function joinCrc(first: number, second: number, secondLength: number): number {
  return (multiply(first, powerOfX(8 * secondLength)) ^ second) >>> 0
}

/** The product of two polynomials over GF(2), modulo that of the CRC. */
function multiply(left: number, right: number): number {
  let product = 0
  let shifted = right
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((left & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}

/** x to a power, modulo the polynomial of the CRC. */
function powerOfX(exponent: number): number {
  let power = ONE
  let square = X
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, square)
    square = multiply(square, square)
  }
  return power
}
