import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { chooseEncoding, WORTH_COMPRESSING, type Encoding } from './choose-encoding.ts'
import type { HttpAnswer, HttpRequest } from './route.ts'

const compress = promisify(gzip)

type Headers = Readonly<Record<string, string>>

interface KeptAsset {
  plain: Buffer
  /** By encoding, the preferred one first; empty where it is not worth it. */
  packed: Readonly<Partial<Record<Encoding, Buffer>>>
  headers: Headers
}

/**
 * Caches an answer that is the same for everybody. It is made at the first request and stored once plain and once
 * compressed. If making it fails, the next request tries again.
 *
 * @param given Headers of the answer, including its content type; a function if they depend on the body.
 * @param readBrotli Reads the body as a build compressed it by Brotli, which takes half a second: an eighth less than by gzip.
 */
export function keepAsset(
  make: () => Promise<Buffer>,
  given: Headers | ((plain: Buffer) => Headers),
  readBrotli?: () => Promise<Buffer>,
): (request: Pick<HttpRequest, 'headers'>) => Promise<HttpAnswer> {
  let kept: Promise<KeptAsset> | undefined

  async function prepare(): Promise<KeptAsset> {
    const plain = await make()
    const headers = typeof given === 'function' ? given(plain) : given
    if (plain.length < WORTH_COMPRESSING) return { plain, packed: {}, headers }
    const gzipped = await compress(plain, { level: constants.Z_BEST_COMPRESSION })
    return { plain, packed: { ...(readBrotli && { br: await readBrotli() }), gzip: gzipped }, headers }
  }

  return async (request) => {
    kept ??= prepare().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    const { plain, packed, headers } = await kept
    const varying = { ...headers, vary: 'accept-encoding, origin' }
    const encoding = chooseEncoding(request.headers, Object.keys(packed) as Encoding[])
    const body = encoding && packed[encoding]
    return body
      ? { status: 200, isShared: true, headers: { ...varying, 'content-encoding': encoding }, body }
      : { status: 200, isShared: true, headers: varying, body: plain }
  }
}
