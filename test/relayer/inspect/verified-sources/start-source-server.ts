import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
  delayMs?: number
}

/** A local server of Sourcify's API, version 2, with answers that a test sets. It records the requests. */
export interface SourceServer {
  url: string
  /** Each request since the last call: its path with the query, and its headers. */
  take(): readonly { path: string; headers: Record<string, unknown> }[]
  /** The most requests that it had at once. */
  most(): number
  /** Sets its answer about an address; undefined for none. */
  tell(address: string, told: unknown): void
  /** Answers this instead, until null. */
  answerWith(answer: Answer | null): void
  stop(): Promise<void>
}

/** Starts it on a free port. */
export async function startSourceServer(): Promise<SourceServer> {
  const told = new Map<string, unknown>()
  let asked: { path: string; headers: Record<string, unknown> }[] = []
  let instead: Answer | null = null
  let present = 0
  let most = 0
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, headers: request.headers })
    const known = told.get(path.split('/')[4]?.split('?')[0] ?? '')
    const answer = instead ?? {
      status: known === undefined ? 404 : 200,
      body: JSON.stringify(known ?? { match: null, creationMatch: null, runtimeMatch: null }),
    }
    present += 1
    most = Math.max(most, present)
    response.once('close', () => (present -= 1))
    setTimeout(() => response.writeHead(answer.status, answer.headers).end(answer.body), answer.delayMs ?? 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const before = asked
      asked = []
      return before
    },
    most: () => most,
    tell: (address, answer) => {
      if (answer === undefined) told.delete(address)
      else told.set(address, answer)
    },
    answerWith: (answer) => {
      instead = answer
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
