import { connect, type Socket } from 'node:net'
import { getIntrospectionQuery } from 'graphql'
import { rawPost } from '../../test/harness/raw-connection.ts'

/** Long answers that each connection requests at once. */
const ASKED = 30
/** A client other than the measured one. */
const READER = '127.0.0.3'

/** Opens connections of one client that request long answers and never read them; ended ones are replaced. */
export function openSlowReaders(url: string, count: number): { stop(): void } {
  const { port } = new URL(url)
  const question = rawPost('/graphql', JSON.stringify({ query: getIntrospectionQuery() })).repeat(ASKED)
  const open = new Set<Socket>()
  const state = { isOver: false }
  const begin = () => {
    if (state.isOver) return
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: READER })
    socket.pause()
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      setTimeout(begin, 100)
    })
    socket.write(question)
    open.add(socket)
  }
  for (let place = 0; place < count; place += 1) begin()
  return {
    stop() {
      state.isOver = true
      for (const socket of open) socket.destroy()
    },
  }
}
