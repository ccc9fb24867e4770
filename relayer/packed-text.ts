import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, inflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/**
 * A text that is cached compressed and sent to many clients: whole blocks of raw deflate. No block is the last, and
 * none refers back to another text. So several texts in sequence are one deflate stream.
 */
export interface PackedText {
  deflated: Buffer
  /** Bytes of the text. */
  length: number
  /** CRC-32 of the text, as in gzip. */
  crc: number
}

/** A part of a long answer. */
export type AnswerPart = string | PackedText

/** Compresses a text, outside the event loop. */
export async function packText(text: string): Promise<PackedText> {
  const bytes = Buffer.from(text)
  const deflated = await deflate(bytes, {
    level: constants.Z_BEST_SPEED,
    finishFlush: constants.Z_FULL_FLUSH,
  })
  return { deflated, length: bytes.length, crc: crc32(bytes) }
}

/** Decompresses a text of {@link packText}. */
export function unpackText({ deflated }: PackedText): Promise<Buffer> {
  return inflate(deflated, { finishFlush: constants.Z_SYNC_FLUSH })
}
