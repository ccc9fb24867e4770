import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { chooseEncoding, WORTH_COMPRESSING } from './choose-encoding.ts'
import type { HttpAnswer, HttpRequest } from './route.ts'

const compress = promisify(gzip)

type Headers = Readonly<Record<string, string>>

/**
 * Caches an answer that is the same for everybody. It is made at the first request and stored once plain and once
 * compressed. If making it fails, the next request tries again.
 *
 * @param given Headers of the answer, including its content type; a function if they depend on the body.
 */
export function keepAsset(
  make: () => Promise<Buffer>,
  given: Headers | ((plain: Buffer) => Headers),
): (request: Pick<HttpRequest, 'headers'>) => Promise<HttpAnswer> {
  let kept: Promise<{ plain: Buffer; gzipped: Buffer | null; headers: Headers }> | undefined

  async function prepare() {
    const plain = await make()
    const headers = typeof given === 'function' ? given(plain) : given
    if (plain.length < WORTH_COMPRESSING) return { plain, gzipped: null, headers }
    return { plain, gzipped: await compress(plain, { level: constants.Z_BEST_COMPRESSION }), headers }
  }

  return async (request) => {
    kept ??= prepare().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    const { plain, gzipped, headers } = await kept
    const varying = { ...headers, vary: 'accept-encoding, origin' }
    return gzipped && chooseEncoding(request.headers, ['gzip'])
      ? { status: 200, isShared: true, headers: { ...varying, 'content-encoding': 'gzip' }, body: gzipped }
      : { status: 200, isShared: true, headers: varying, body: plain }
  }
}
