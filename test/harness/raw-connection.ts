import { connect } from 'node:net'
import { once } from 'node:events'

export interface RawAnswer {
  status: number
  head: string
  body: string
}

export type RawConnection = Awaited<ReturnType<typeof openConnection>>

/** A bare connection, to send bytes that HTTP clients would not send and to see whether it stays open. */
export async function openConnection(url: string) {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let buffer = ''
  let changed = () => {}
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    buffer += chunk
    changed()
  })
  socket.on('close', () => changed())
  socket.on('error', () => {})

  /** The next complete answer, by its Content-Length. */
  async function answer(): Promise<RawAnswer> {
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(buffer.slice(0, end))?.[1] ?? 0)
      if (end >= 0 && buffer.length >= end + 4 + length) {
        const head = buffer.slice(0, end)
        const body = buffer.slice(end + 4, end + 4 + length)
        buffer = buffer.slice(end + 4 + length)
        return { status: Number(head.split(' ')[1]), head, body }
      }
      if (socket.destroyed || socket.readableEnded) throw new Error(`connection ended after: ${buffer}`)
      await new Promise<void>((resolve) => (changed = resolve))
    }
  }
  return {
    socket,
    answer,
    send: (text: string) => void socket.write(text),
    closed: () => (socket.closed ? Promise.resolve() : once(socket, 'close').then(() => {})),
  }
}

export function rawPost(path: string, body: string, headers = ''): string {
  return `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`
}
