import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { httpConfig } from '../../../gateway/http/http-config.ts'
import { keepConnections } from '../../../gateway/http/keep-connections.ts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

/** A server that shows its own end of its last connection. */
async function openKeeping(config: Record<string, unknown>) {
  const sockets: Socket[] = []
  const server = createServer((request, response) => {
    kept.announce(request.socket, response)
    response.once('close', () => kept.keep(request.socket))
    request.resume().once('end', () => response.end('answer'))
  })
  const kept = keepConnections(server, httpConfig.parse(config))
  server.on('connection', (socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = await openConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return { client, socketNow: () => sockets.at(-1)! }
}

it.each([
  ['at quiet times', {}, 65],
  ['while most connections are taken', { maxConnections: 1 }, 5],
  ['with a time of its own', { keepAliveTimeoutMs: 1_500 }, 1],
])('a connection is kept seconds longer than its client was promised %s', async (_, config, seconds) => {
  const { client, socketNow } = await openKeeping(config)
  client.send(GET)
  expect((await client.answer()).head).toMatch(new RegExp(`^keep-alive: timeout=${seconds}$`, 'im'))
  await expect.poll(() => socketNow().timeout).toBe((seconds + 5) * 1_000)
})

it('no clock runs from the head of a request to the end of its answer', async () => {
  const { client, socketNow } = await openKeeping({})
  client.send(GET)
  await client.answer()
  await expect.poll(() => socketNow().timeout).toBe(70_000)
  client.send(rawPost('/', 'body').slice(0, -1))
  await expect.poll(() => socketNow().timeout).toBe(0)
  client.send('y')
  await client.answer()
  await expect.poll(() => socketNow().timeout).toBe(70_000)
})
