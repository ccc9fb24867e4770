import { fileURLToPath } from 'node:url'
import { HttpError } from '../errors.ts'
import type { Route } from '../route/route.ts'
import { streamFile } from './stream-file.ts'

const FILES = new Set(['withdraw.wasm', 'withdraw.zkey', 'commitment.wasm', 'commitment.zkey'])

/** `/wallet/circuits/{file}`: the files by which the wallet proves. */
export const circuitRoute: Route = {
  method: 'GET',
  path: '/wallet/circuits/{file}',
  name: 'wallet-circuit',
  background: true,
  async handle({ params }) {
    const name = params['file'] ?? ''
    if (!FILES.has(name)) throw new HttpError(404, 'There is no such circuit')
    const place = new URL(`artifacts/${name}`, import.meta.resolve('@0xbow/privacy-pools-core-sdk'))
    return streamFile(fileURLToPath(place), {
      'content-type': name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream',
      // The wallet asks with the hash in the query.
      'cache-control': 'public, max-age=31536000, immutable',
    })
  },
}
