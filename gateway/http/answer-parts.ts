import type { PartedAnswer } from '../../schema/define/operation.ts'
import { packText, unpackText, type AnswerPart, type PackedText } from '../../relayer/packed-text.ts'
import type { HttpAnswer, HttpRequest } from '../route/route.ts'
import { chooseEncoding, WORTH_COMPRESSING } from '../route/choose-encoding.ts'
import { hasVersion } from '../route/share-answer.ts'
import { joinGzip, storeText } from './join-gzip.ts'

/**
 * Answers in parts, as gzip if the client accepts it, or 304 if the client has this version. Parts stored compressed
 * are sent without recompression.
 */
export async function answerParts(
  { headers }: Pick<HttpRequest, 'headers'>,
  answer: PartedAnswer,
): Promise<HttpAnswer> {
  // Weak: the same for every encoding.
  const etag = `W/"${answer.version}"`
  const common = {
    etag,
    vary: answer.cacheControl ? 'accept-encoding, origin' : 'accept-encoding, authorization, origin',
    ...(answer.cacheControl && { 'cache-control': answer.cacheControl }),
  }
  if (hasVersion(headers['if-none-match'], answer.version))
    return { status: 304, headers: common, body: null }
  const parts = await answer.parts()
  const described = { ...common, 'content-type': 'application/json' }
  if (!chooseEncoding(headers, ['gzip']))
    return {
      status: 200,
      headers: { ...described, 'content-length': String(lengthOf(parts)) },
      body: unpackParts(parts),
    }
  const pieces = joinGzip(await Promise.all(parts.map(pack)))
  const length = pieces.reduce((total, piece) => total + piece.length, 0)
  return {
    status: 200,
    headers: { ...described, 'content-encoding': 'gzip', 'content-length': String(length) },
    body: eachOf(pieces),
  }
}

async function pack(part: AnswerPart): Promise<PackedText> {
  if (typeof part !== 'string') return part
  return part.length > WORTH_COMPRESSING ? packText(part) : storeText(part)
}

const lengthOf = (parts: readonly AnswerPart[]): number =>
  parts.reduce((total, part) => total + (typeof part === 'string' ? Buffer.byteLength(part) : part.length), 0)

async function* unpackParts(parts: readonly AnswerPart[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : await unpackText(part)
}

async function* eachOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}
