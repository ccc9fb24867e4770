import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpAnswer } from '../route/route.ts'
import type { Debt } from '../limits/unwritten-bytes.ts'

/** Bytes per write. Small writes show whether a slow client is still reading. */
const PIECE = 64 * 1_024

/**
 * Writes an answer. Resolves when the connection has received all of it, or when a streaming one has begun.
 *
 * @throws Error when the client disconnected before.
 */
export async function writeAnswer(
  response: ServerResponse,
  answer: HttpAnswer,
  options: { withBody: boolean; debt: Debt | null; signal(): AbortSignal },
): Promise<void> {
  const { body } = answer
  const headers: Record<string, string | number> = { 'cache-control': 'no-store', ...answer.headers }
  if (body === null || typeof body === 'string' || Buffer.isBuffer(body)) {
    const length = body === null ? 0 : Buffer.byteLength(body)
    if (body !== null) headers['content-length'] = length
    response.writeHead(answer.status, headers)
    if (options.withBody && body !== null && length > PIECE)
      await writeInPieces(response, typeof body === 'string' ? Buffer.from(body) : body, options)
    else response.end(options.withBody ? body : null)
    return
  }
  response.writeHead(answer.status, headers)
  if ('stream' in body) {
    if (options.withBody) body.stream(response)
    else response.end()
    return
  }
  const stream = Readable.from(body)
  if (options.withBody) {
    response.flushHeaders()
    await pipeline(stream, response, { signal: options.signal() })
  } else {
    stream.destroy()
    response.end()
  }
}

async function writeInPieces(
  response: ServerResponse,
  body: Buffer,
  options: { debt: Debt | null; signal(): AbortSignal },
): Promise<void> {
  const { debt } = options
  const signal = options.signal()
  for (let start = 0; start < body.length; start += PIECE) {
    signal.throwIfAborted()
    const piece = body.subarray(start, start + PIECE)
    if (!response.write(piece, () => debt?.pay(piece.length))) await once(response, 'drain', { signal })
  }
  response.end()
}
