import type { IncomingMessage } from 'node:http'
import { HttpError } from '../errors.ts'

/** Bytes: `keep` is what a body may have, `drain` what is read and thrown away to keep the connection usable. */
export interface BodyLimits {
  keep: number
  drain: number
}

/**
 * Reads a request's body.
 *
 * @throws HttpError 413 when it is larger than allowed: after all of it has been read, so that the answer reaches
 * the client and the connection goes on, or at once and with the connection closed when it is larger than `drain`.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const tooLarge = (headers: Record<string, string> = {}) =>
    new HttpError(413, `A request body may have at most ${limits.keep} bytes`, { headers })
  if (Number(request.headers['content-length'] ?? 0) > limits.drain) {
    return Promise.reject(tooLarge({ connection: 'close' }))
  }
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limits.keep) chunks.push(chunk)
      else chunks = []
      if (size > limits.drain) reject(tooLarge({ connection: 'close' }))
    })
    request.on('end', () => (size <= limits.keep ? resolve(Buffer.concat(chunks)) : reject(tooLarge())))
    request.on('error', reject)
    request.on('close', () => reject(new HttpError(400, 'The request ended before its body did')))
  })
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
