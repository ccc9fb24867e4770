import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib'
import { chooseEncoding, WORTH_COMPRESSING, type Encoding } from '../route/choose-encoding.ts'
import type { HttpAnswer } from '../route/route.ts'

const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/

/**
 * Each answer is compressed once, for one client. The balances of 500 addresses (2.4 MB) take 1.2 ms at this level and are
 * 34 times smaller; level 4 takes 8.2 ms, and they are 49 times smaller.
 */
const BROTLI_LEVEL = 1

const compressors: Record<Encoding, (plain: Buffer) => Promise<Buffer>> = {
  gzip: (plain) => promisify<Buffer, ZlibOptions, Buffer>(gzip)(plain, { level: constants.Z_BEST_SPEED }),
  br: (plain) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
}

/**
 * Compresses an answer's text with the encoding that its client prefers, in libuv's threads. Short answers, streams,
 * and answers with an encoding of their own stay unchanged.
 */
export async function compressAnswer(headers: IncomingHttpHeaders, answer: HttpAnswer): Promise<HttpAnswer> {
  const { body } = answer
  if (answer.isShared || body === null || (typeof body !== 'string' && !Buffer.isBuffer(body))) return answer
  const given = answer.headers ?? {}
  if ('content-encoding' in given || !COMPRESSIBLE.test(given['content-type'] ?? '')) return answer
  const plain = Buffer.from(body)
  if (plain.length <= WORTH_COMPRESSING) return answer
  const varying = { ...given, vary: `accept-encoding, ${given['vary'] ?? 'origin'}` }
  const encoding = chooseEncoding(headers, ['br', 'gzip'])
  if (!encoding) return { ...answer, headers: varying }
  return {
    ...answer,
    headers: { ...varying, 'content-encoding': encoding },
    body: await compressors[encoding](plain),
  }
}
