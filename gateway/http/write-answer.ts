import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { HttpAnswer } from '../route/route.ts'
import type { Debt } from '../limits/unwritten-bytes.ts'

/** Bytes per write. Small writes show whether a slow client is still reading. */
const PIECE = 64 * 1_024

/**
 * Writes an answer. Resolves when the connection has received all of it.
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
      await writePieces(response, cut(Buffer.isBuffer(body) ? body : Buffer.from(body)), options)
    else response.end(options.withBody ? body : null)
    return
  }
  response.writeHead(answer.status, headers)
  if (options.withBody) await writePieces(response, body, options)
  else response.end()
}

function* cut(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PIECE) yield body.subarray(start, start + PIECE)
}

/** Writes piece by piece, each after the client has read enough of those before. */
async function writePieces(
  response: ServerResponse,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { debt, signal: openSignal }: { debt: Debt | null; signal(): AbortSignal },
): Promise<void> {
  const signal = openSignal()
  for await (const piece of pieces) {
    signal.throwIfAborted()
    if (!response.write(piece, () => debt?.pay(piece.length))) await once(response, 'drain', { signal })
  }
  signal.throwIfAborted()
  response.end()
}
