import type { Server } from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { Debt, AnswerHolder } from '../limits/unwritten-bytes.ts'
import { PING_MS } from './connection-limits.ts'

/** Bytes that even a short message takes while it waits for the client. */
const LEAST_BYTES = 512

export interface Carrier<State> {
  /** Handed to the protocol with each message. */
  state: State
  /** Runs work in the client's name. */
  run(work: () => Promise<void>): Promise<void>
  /** Counts bytes that wait for the client. @throws ServiceError if it has not read its share. */
  owe(bytes: number, holder: AnswerHolder): Debt
  /** Receives a message's failure, and ends the socket. */
  onFault(error: unknown): void
}

/**
 * Carries the protocol's messages over a WebSocket. Every byte that the client has not read counts, pongs included: it
 * may ask for more without reading.
 */
export function carryMessages<State>(
  server: Server<State>,
  socket: WebSocket,
  { state, run, owe, onFault }: Carrier<State>,
): void {
  const holder = { destroy: () => socket.terminate() }

  /** Resolves when the connection has accepted the bytes, or has ended. */
  async function write(bytes: number, start: (done: () => void) => void): Promise<void> {
    if (socket.readyState !== socket.OPEN) return
    const debt = owe(Math.max(bytes, LEAST_BYTES), holder)
    await new Promise<void>((resolve) => start(() => resolve()))
    debt.close()
  }

  // The library closes the socket by itself, with the code of the fault.
  socket.on('error', () => {})
  socket.on('ping', (data: Buffer) => {
    write(data.length, (done) => socket.pong(data, false, done)).catch(onFault)
  })
  keepOpen(socket)
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (text) => write(text.length, (done) => socket.send(text, done)),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (handle) =>
        socket.on('message', (data: Buffer) => void run(() => handle(String(data))).catch(onFault)),
    },
    state,
  )
  socket.once('close', (code, reason) => void closed(code, String(reason)).catch(onFault))
}

/** Pings the client, so that proxies keep the connection open, and ends the socket of one that has gone. */
function keepOpen(socket: WebSocket): void {
  let isThere = true
  const timer = setInterval(() => {
    // Before what it has not read no ping can reach it. The watch over connections ends one that never reads.
    if (socket.bufferedAmount > 0) isThere = true
    else if (isThere) {
      isThere = false
      socket.ping()
    } else socket.terminate()
  }, PING_MS).unref()
  socket.on('pong', () => (isThere = true))
  socket.once('close', () => clearInterval(timer))
}
