import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Door {
  url: string
  /**
   * Methods, or selectors of calls, that fail from now on, as behind a gateway whose node is down; `all` cuts every
   * connection.
   */
  shut(methods: readonly string[] | 'all'): void
  /** From now on every answer is HTTP 500, as from a node with an inner fault. */
  fail(): void
  open(): void
  /** From now on each answer takes this many milliseconds longer, as from a node that is far away. */
  delay(milliseconds: number): void
  /** From now on, answers to requests with one of the methods, or to all, are held back until they are released. */
  hold(methods: readonly string[] | 'all'): {
    waiting(): number
    givenUp(): number
    /** The methods that were held back, one entry for each call. */
    asked(): readonly string[]
    letGo(): void
  }
  close(): Promise<void>
}

const bare = (selector: string) => selector.replace(/^0x/, '')

/** Starts a proxy before a node that can be made to fail. */
export async function startDoor(target: string): Promise<Door> {
  let blocked: readonly string[] | 'all' = []
  let isFailing = false
  let delayMs = 0
  let held: {
    methods: readonly string[] | 'all'
    asked: string[]
    waiting: number
    givenUp: number
    released: Promise<void>
  } | null = null
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat((await incoming.toArray()) as Buffer[])
    const calls = [JSON.parse(body.toString())].flat() as {
      method: string
      params?: [{ data?: string }?]
    }[]
    // Of several reads in one call, each is in its data.
    const concerns = (name: string) =>
      calls.some(({ method, params }) => method === name || params?.[0]?.data?.includes(bare(name)))
    if (blocked !== 'all' && blocked.some(concerns)) {
      outgoing.writeHead(502).end()
      return
    }
    if (isFailing) {
      outgoing.writeHead(500).end()
      return
    }
    if (delayMs > 0) await sleep(delayMs)
    if (held && calls.some(({ method }) => held?.methods === 'all' || held?.methods.includes(method))) {
      held.asked.push(...calls.map(({ method }) => method))
      await wait(held, outgoing)
    }
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const forwarded = send(target, { method: 'POST', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    forwarded.end(body)
  }
  async function wait(holding: NonNullable<typeof held>, outgoing: ServerResponse): Promise<void> {
    holding.waiting += 1
    const giveUp = () => (holding.givenUp += 1)
    outgoing.once('close', giveUp)
    await holding.released
    outgoing.off('close', giveUp)
    holding.waiting -= 1
  }
  const server = createServer((incoming, outgoing) => {
    if (blocked === 'all') incoming.socket.destroy()
    else pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: (methods) => (blocked = methods),
    fail: () => (isFailing = true),
    open() {
      blocked = []
      isFailing = false
    },
    delay: (milliseconds) => (delayMs = milliseconds),
    hold(methods) {
      const { promise: released, resolve } = Promise.withResolvers<void>()
      const holding = { methods, asked: [], waiting: 0, givenUp: 0, released }
      held = holding
      return {
        waiting: () => holding.waiting,
        givenUp: () => holding.givenUp,
        asked: () => holding.asked,
        letGo() {
          if (held === holding) held = null
          resolve()
        },
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
