import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { HttpError } from '../errors.ts'
import type { Route } from '../route/route.ts'

const FILES = new Set(['withdraw.wasm', 'withdraw.zkey', 'commitment.wasm', 'commitment.zkey'])

/** `/wallet/circuits/{file}`: the files by which the wallet proves, read from the disk for each request. */
export const circuitRoute: Route = {
  method: 'GET',
  path: '/wallet/circuits/{file}',
  name: 'wallet-circuit',
  background: true,
  async handle({ params }) {
    const name = params['file'] ?? ''
    if (!FILES.has(name)) throw new HttpError(404, 'There is no such circuit')
    const place = new URL(`artifacts/${name}`, import.meta.resolve('@0xbow/privacy-pools-core-sdk'))
    const file = fileURLToPath(place)
    const { size } = await stat(file)
    return {
      status: 200,
      headers: {
        'content-type': name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream',
        'content-length': String(size),
        // The wallet asks with the hash in the query.
        'cache-control': 'public, max-age=31536000, immutable',
      },
      body: readLater(file),
    }
  },
}

/** Opens the file when the answer is read, and closes it with the answer: one to HEAD, or for a client that has gone, is never read. */
async function* readLater(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file)
}
