import type { IncomingMessage } from 'node:http'
import { HttpError } from '../errors.ts'
import { serverBusy } from '../../relayer/errors.ts'

/** Bytes that the body of somebody may have who need not show a token: several times what any such operation needs. */
export const STRANGERS_BODY = 16 * 1_024

/**
 * Bytes: `keep` is what a body may have, `drain` what is read and thrown away to keep the connection usable, `hold` what
 * all bodies that are still arriving may have together, beyond the first STRANGERS_BODY of each: else a few large ones
 * that never end would keep everybody's small ones out.
 */
export interface BodyLimits {
  keep: number
  drain: number
  hold: number
}

/**
 * Reads a request's body.
 *
 * @param most Bytes, where this request may have fewer than others.
 * @throws HttpError 413 when it is larger than allowed: after all of it has been read, so that the answer reaches
 * the client and the connection goes on, or at once and with the connection closed when it is larger than `drain`.
 * ServiceError 503 SERVER_BUSY when too much is arriving from others.
 */
export type BodyReader = (request: IncomingMessage, most?: number) => Promise<Buffer>

export function createBodyReader({ keep, drain, hold }: BodyLimits): BodyReader {
  let held = 0
  const close = { headers: { connection: 'close' } }

  return (request, asked = keep) => {
    const most = Math.min(keep, asked)
    const tooLarge = (options = {}) =>
      new HttpError(413, `A request body may have at most ${most} bytes`, options)
    if (Number(request.headers['content-length'] ?? 0) > drain) return Promise.reject(tooLarge(close))
    // It may have gone while its token was looked up: nothing more would be heard of it.
    if (request.destroyed) return Promise.reject(cutShort())
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
        if (size > most) return release()
        const counted = Math.max(0, size - STRANGERS_BODY) - mine
        if (counted > 0 && held + counted > hold) {
          size = Infinity
          release()
          return reject(serverBusy('Too many requests are arriving; try again'))
        }
        mine += counted
        held += counted
        chunks.push(chunk)
      })
      request.on('end', () => (size <= most ? resolve(Buffer.concat(chunks)) : reject(tooLarge())))
      request.on('error', reject)
      request.on('close', () => reject(cutShort()))
    })
    return read.finally(release)
  }
}

const cutShort = () => new HttpError(400, 'The request ended before its body did')

/** Throws away what is left of a body that nobody wanted, and the connection with it when that is too much. */
export function discardBody(request: IncomingMessage, drain: number): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > drain) request.destroy()
  })
  request.resume()
}
