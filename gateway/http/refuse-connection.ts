import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { badRequest, serverBusy } from '../../relayer/errors.ts'
import { ERROR_CLASSES } from '../../schema/define/error-status.ts'

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
  endWith(socket, line, { ...rest, code: badRequest.terms.code })
}

const SURPLUS = {
  error: ERROR_CLASSES[503].error,
  message: 'This client has too many connections',
  code: serverBusy.terms.code,
}

/** Refuses a connection before anything is read of it, and closes it. */
export const refuseSurplus = (socket: Duplex): void => endWith(socket, '503 Service Unavailable', SURPLUS)

/** The same for a request that came through a proxy: the connection may be that of other clients too. */
export function refuseProxied(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
  response.end(JSON.stringify(SURPLUS))
}

function endWith(socket: Duplex, line: string, content: Record<string, string>): void {
  const body = JSON.stringify(content)
  socket.end(
    `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
