import type { Duplex } from 'node:stream'
import { badRequest } from '../../relayer/errors.ts'

const ANSWERS: Record<string, { line: string; error: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    error: 'Bad request',
    message: 'The request headers are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    error: 'Bad request',
    message: 'The request did not arrive in time',
  },
}
const MALFORMED = {
  line: '400 Bad Request',
  error: 'Bad request',
  message: 'This is not an HTTP/1.1 request',
}

/** Answers bytes that could not be parsed as a request, in the error shape of the API, and closes the connection. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { line, ...rest } = ANSWERS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ ...rest, code: badRequest.terms.code })
  socket.end(
    `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
