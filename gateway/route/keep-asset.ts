import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { takesGzip } from './takes-gzip.ts'
import type { HttpAnswer, HttpRequest } from './route.ts'

const compress = promisify(gzip)

/** Compressing shorter answers saves less than the additional headers cost. */
const WORTH_COMPRESSING = 1_024

/**
 * An answer that is the same for everybody. It is made at the first request and kept once as it is and once
 * compressed, however many requests use it. If making it fails, the next request tries again.
 *
 * @param headers Headers of the answer, including its content type.
 */
export function keepAsset(
  make: () => Promise<Buffer>,
  headers: Readonly<Record<string, string>>,
): (request: Pick<HttpRequest, 'headers'>) => Promise<HttpAnswer> {
  let kept: Promise<{ plain: Buffer; gzipped: Buffer | null }> | undefined

  async function prepare() {
    const plain = await make()
    if (plain.length < WORTH_COMPRESSING) return { plain, gzipped: null }
    return { plain, gzipped: await compress(plain, { level: constants.Z_BEST_COMPRESSION }) }
  }

  return async (request) => {
    kept ??= prepare().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    const { plain, gzipped } = await kept
    const varying = { ...headers, vary: 'accept-encoding, origin' }
    return gzipped && takesGzip(request.headers['accept-encoding'])
      ? { status: 200, isShared: true, headers: { ...varying, 'content-encoding': 'gzip' }, body: gzipped }
      : { status: 200, isShared: true, headers: varying, body: plain }
  }
}
