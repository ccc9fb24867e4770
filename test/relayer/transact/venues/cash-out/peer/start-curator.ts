import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { keccak256, stringToHex, type Hex } from 'viem'

/** An answer of a server; null means none. */
export type CuratorAnswer = { status: number; body: string } | null

/** A server in place of the venue's curator, which records all requests. */
export interface Curator {
  url: string
  /** Method, path, headers and body of each request, without those that ask whether the server is there. */
  readonly asked: { method: string; path: string; body: string; everything: string }[]
  /** Handles that it does not accept. */
  readonly refused: Set<string>
  /** In place of the true answer. */
  answer: (() => CuratorAnswer) | null
  stop(): Promise<void>
}

/** The hash under which a payee is known. */
export const payeeHash = (method: string, handle: string): Hex =>
  keccak256(stringToHex(`${method} ${handle}`))

/** Starts it on a free port; it accepts every payee. */
export async function startCurator(): Promise<Curator> {
  const asked: Curator['asked'] = []
  const known = new Map<string, string>()
  const answerTruly = (method: string, path: string, body: string): CuratorAnswer => {
    const [, , , processorName = '', hash = ''] = path.split('/')
    const reply = (status: number, members: object) => ({ status, body: JSON.stringify(members) })
    if (method === 'POST') {
      const { processorName: name, offchainId } = JSON.parse(body) as Record<string, string>
      if (!name || !offchainId || curator.refused.has(offchainId))
        return reply(400, { success: false, message: `${offchainId} is not accepted` })
      const hashedOnchainId = payeeHash(name, offchainId)
      known.set(hashedOnchainId, offchainId)
      return reply(200, { success: true, responseObject: { processorName: name, hashedOnchainId } })
    }
    const offchainId = known.get(hash)
    if (offchainId === undefined || curator.refused.has(offchainId)) return reply(404, { success: false })
    return reply(200, {
      success: true,
      responseObject: { processorName, offchainId, hashedOnchainId: hash },
    })
  }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: path = '', rawHeaders } = request
      if (method === 'HEAD') {
        response.end()
        return
      }
      asked.push({ method, path, body, everything: `${method} ${path} ${rawHeaders.join(' ')} ${body}` })
      const answer = curator.answer ? curator.answer() : answerTruly(method, path, body)
      if (answer) response.writeHead(answer.status).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const curator: Curator = {
    url: `http://127.0.0.1:${port}`,
    asked,
    refused: new Set(),
    answer: null,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return curator
}
