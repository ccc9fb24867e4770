import type { IncomingMessage } from 'node:http'
import { HttpError } from '../errors.ts'
import { serverBusy } from '../../relayer/errors.ts'
import { presentClient } from '../../relayer/shares/client.ts'
import { mostOf } from '../../relayer/shares/threshold.ts'

/** Largest body of a request without a token: several times the need of any such operation. */
export const STRANGERS_BODY = 16 * 1_024

/**
 * Limits in bytes. `keep`: largest body. `drain`: size up to which a larger body is read and discarded to keep the
 * connection usable. `hold`: total of all bodies still arriving, beyond the first STRANGERS_BODY of each. Without it, a
 * few large bodies that never end would block all small ones. A network may use twice the free part of it.
 */
export interface BodyLimits {
  keep: number
  drain: number
  hold: number
}

/**
 * Reads a request's body.
 *
 * @param most A lower limit in bytes for this request.
 * @throws HttpError 413 when the body is too large. Up to `drain` the whole body is read first, so that the answer
 * reaches the client and the connection stays usable; beyond `drain` the error comes immediately and the connection
 * is closed. ServiceError 503 SERVER_BUSY when too many other bytes are arriving.
 */
export type BodyReader = (request: IncomingMessage, most?: number) => Promise<Buffer>

export function createBodyReader({ keep, drain, hold: most }: BodyLimits): BodyReader {
  const { hold, hasRoom } = createHeldBytes(most)
  const close = { headers: { connection: 'close' } }

  return (request, asked = keep) => {
    const longest = Math.min(keep, asked)
    const { network } = presentClient()
    const tooLarge = (options = {}) =>
      new HttpError(413, `A request body may have at most ${longest} bytes`, options)
    if (Number(request.headers['content-length'] ?? 0) > drain) return Promise.reject(tooLarge(close))
    // The client may have disconnected while its token was looked up; no further event would report it.
    if (request.destroyed) return Promise.reject(cutShort())
    let chunks: Buffer[] = []
    let mine = 0
    const release = () => {
      hold(network, -mine)
      mine = 0
      chunks = []
    }
    const read = new Promise<Buffer>((resolve, reject) => {
      let size = 0
      const onData = (chunk: Buffer) => {
        size += chunk.length
        if (size > drain) reject(tooLarge(close))
        if (size > longest) return release()
        const counted = Math.max(0, size - STRANGERS_BODY) - mine
        if (counted > 0 && !hasRoom(network, counted)) {
          size = Infinity
          release()
          return reject(serverBusy('Too many requests are arriving; try again'))
        }
        mine += counted
        hold(network, counted)
        chunks.push(chunk)
      }
      // A request lives as long as its answer, which may go on for hours: it must not keep the body.
      const onEnd = () => {
        request.off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose)
        if (size <= longest) resolve(Buffer.concat(chunks))
        else reject(tooLarge())
      }
      // Every request emits this in the end.
      const onClose = () => {
        if (!request.readableEnded) reject(cutShort())
      }
      request.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose)
    })
    return read.finally(release)
  }
}

/** Counts the bytes of unfinished bodies: at most `most` together, and a share of them for each network. */
function createHeldBytes(most: number) {
  let held = 0
  const heldOf = new Map<string, number>()
  return {
    hold(network: string, more: number): void {
      held += more
      const left = (heldOf.get(network) ?? 0) + more
      if (left > 0) heldOf.set(network, left)
      else heldOf.delete(network)
    },
    hasRoom(network: string, more: number): boolean {
      const own = heldOf.get(network) ?? 0
      return held + more <= most && own + more <= mostOf(most - held, own)
    },
  }
}

const cutShort = () => new HttpError(400, 'The request ended before its body did')

/** Discards the rest of a body that nothing has read, and closes the connection when the rest is too large. */
export function discardBody(request: IncomingMessage, drain: number): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > drain) request.destroy()
  })
  request.resume()
}
