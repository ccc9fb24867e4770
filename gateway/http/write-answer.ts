import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpAnswer } from './route.ts'

/** Writes an answer; resolves when it has been handed to the connection, for a stream when that has ended. */
export async function writeAnswer(
  response: ServerResponse,
  answer: HttpAnswer,
  options: { withBody: boolean; signal: AbortSignal },
): Promise<void> {
  const { body } = answer
  const headers: Record<string, string | number> = { 'cache-control': 'no-store', ...answer.headers }
  if (body === null || typeof body === 'string' || Buffer.isBuffer(body)) {
    if (body !== null) headers['content-length'] = Buffer.byteLength(body)
    response.writeHead(answer.status, headers)
    response.end(options.withBody ? body : null)
    return
  }
  response.writeHead(answer.status, headers)
  const stream = Readable.from(body)
  if (options.withBody) {
    response.flushHeaders()
    await pipeline(stream, response, { signal: options.signal })
  } else {
    stream.destroy()
    response.end()
  }
}
