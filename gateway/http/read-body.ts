import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../relayer/service-error.ts'
import { HttpError } from '../errors.ts'

/**
 * Bytes: `keep` is what a body may have, `drain` what is read and thrown away to keep the connection usable, `hold` what
 * all bodies that are still arriving may have together.
 */
export interface BodyLimits {
  keep: number
  drain: number
  hold: number
}

/**
 * Reads a request's body.
 *
 * @throws HttpError 413 when it is larger than allowed: after all of it has been read, so that the answer reaches
 * the client and the connection goes on, or at once and with the connection closed when it is larger than `drain`.
 * ServiceError 503 SERVER_BUSY when too much is arriving from others.
 */
export type BodyReader = (request: IncomingMessage) => Promise<Buffer>

export function createBodyReader({ keep, drain, hold }: BodyLimits): BodyReader {
  let held = 0
  const close = { headers: { connection: 'close' } }
  const tooLarge = (options = {}) =>
    new HttpError(413, `A request body may have at most ${keep} bytes`, options)

  return (request) => {
    if (Number(request.headers['content-length'] ?? 0) > drain) return Promise.reject(tooLarge(close))
    let chunks: Buffer[] = []
    let mine = 0
    const release = () => {
      held -= mine
      mine = 0
      chunks = []
    }
    const read = new Promise<Buffer>((resolve, reject) => {
      let size = 0
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > drain) reject(tooLarge(close))
        if (size > keep) return release()
        if (held + chunk.length > hold) {
          size = Infinity
          release()
          return reject(busy())
        }
        mine += chunk.length
        held += chunk.length
        chunks.push(chunk)
      })
      request.on('end', () => (size <= keep ? resolve(Buffer.concat(chunks)) : reject(tooLarge())))
      request.on('error', reject)
      request.on('close', () => reject(new HttpError(400, 'The request ended before its body did')))
    })
    return read.finally(release)
  }
}

function busy(): ServiceError {
  return new ServiceError('unavailable', 'Too many requests are arriving; try again', { code: 'SERVER_BUSY' })
}

/** Throws away what is left of a body that nobody wanted, and the connection with it when that is too much. */
export function discardBody(request: IncomingMessage, drain: number): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > drain) request.destroy()
  })
  request.resume()
}
