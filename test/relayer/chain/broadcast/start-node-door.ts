import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface RpcError {
  code: number
  message: string
}

/** Replaces an answer of the node, or gives one later; an object with `code` and `message` is an error. */
type Alter = (answer: unknown, params: readonly unknown[]) => unknown

/** The error of a call by its parameters; null where the node gets it. */
type Decide = (params: readonly unknown[]) => RpcError | null

interface Call {
  id: number
  method: string
  params: readonly unknown[]
}

export interface NodeDoor {
  url: string
  /** From now on `change` is applied to answers to the method; without it, they are unchanged. */
  alter(method: string, change?: Alter): void
  /**
   * From now on the node gets no calls of the method, and the error is answered; without an error, the node answers
   * again. A function decides for each call.
   */
  refuse(method: string, error?: RpcError | Decide): void
  /** From now on requests with the method wait before they reach the node. @returns Releases them. */
  hold(method: string): () => void
  /** From now on `happens` completes before the node gets a request with the method. */
  before(method: string, happens: () => Promise<unknown>): void
  /** Closes every connection, so that the next request opens one. */
  drop(): void
  /** How many requests had the method so far. */
  asked(method: string): number
  close(): Promise<void>
}

const isError = (answer: unknown): answer is RpcError =>
  typeof answer === 'object' && answer !== null && 'code' in answer && 'message' in answer

interface Answered {
  id: number
  result?: unknown
  error?: unknown
}

/** Starts a proxy before a node that changes answers or delays requests on demand. */
export async function startNodeDoor(target: string): Promise<NodeDoor> {
  const changes = new Map<string, Alter>()
  const refused = new Map<string, Decide>()
  const held = new Map<string, Promise<void>>()
  const events = new Map<string, () => Promise<unknown>>()
  const counts = new Map<string, number>()

  async function answer(body: Buffer): Promise<string> {
    const asked = JSON.parse(body.toString()) as Call | Call[]
    const calls = [asked].flat()
    const isBatch = Array.isArray(asked)
    for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1)
    await Promise.all(calls.flatMap(({ method }) => held.get(method) ?? []))
    await Promise.all(calls.flatMap(({ method }) => events.get(method)?.() ?? []))
    const told = calls.flatMap(({ id, method, params }) => {
      const error = refused.get(method)?.(params)
      return error ? [{ jsonrpc: '2.0', id, error }] : []
    })
    const passed = calls.filter(({ id }) => !told.some((one) => one.id === id))
    if (passed.length === 0) return JSON.stringify(isBatch ? told : told[0])
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body: JSON.stringify(isBatch ? passed : passed[0]),
    })
    const answers = (await response.json()) as Answered | Answered[]
    const altered = await Promise.all(
      [answers].flat().map(async (one) => {
        const call = calls.find(({ id }) => id === one.id)
        const change = call && changes.get(call.method)
        if (!call || !change) return one
        const changed = await change(one.result ?? one.error, call.params)
        return {
          jsonrpc: '2.0',
          id: one.id,
          ...(isError(changed) ? { error: changed } : { result: changed }),
        }
      }),
    )
    const all = [...altered, ...told]
    return JSON.stringify(isBatch ? all : all[0])
  }

  const server = createServer((incoming, outgoing) => {
    buffer(incoming)
      .then(answer)
      .then(
        (text) => outgoing.writeHead(200, { 'content-type': 'application/json' }).end(text),
        () => outgoing.destroy(),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alter(method, change) {
      if (change) changes.set(method, change)
      else changes.delete(method)
    },
    refuse(method, error) {
      if (error) refused.set(method, typeof error === 'function' ? error : () => error)
      else refused.delete(method)
    },
    hold(method) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(method, promise)
      return () => {
        held.delete(method)
        resolve()
      }
    },
    before: (method, happens) => void events.set(method, happens),
    drop: () => server.closeAllConnections(),
    asked: (method) => counts.get(method) ?? 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
