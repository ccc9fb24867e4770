import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, inflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/**
 * A text that is kept compressed and given to many: whole blocks of raw deflate, none of them the last and none that looks
 * back at another text. Several of them one after the other are therefore one deflate stream.
 */
export interface PackedText {
  deflated: Buffer
  /** Bytes of the text. */
  length: number
  /** Of the text, as gzip has it. */
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

/** The bytes of a text that {@link packText} compressed. */
export function unpackText({ deflated }: PackedText): Promise<Buffer> {
  return inflate(deflated, { finishFlush: constants.Z_SYNC_FLUSH })
}
