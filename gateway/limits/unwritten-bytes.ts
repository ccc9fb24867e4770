import type { ServerResponse } from 'node:http'
import { serverBusy } from '../../relayer/errors.ts'

/** How often the streams that go on are looked at, in milliseconds. */
const LOOK_MS = 1_000

/** An answer of which something is not written yet. */
export interface Debt {
  /** So many bytes of it were handed to the kernel. */
  pay(bytes: number): void
  /** It is over. */
  close(): void
}

/** Counts bytes of answers that the service holds until their clients read them, by network and in all. */
export interface UnwrittenBytes {
  /** @throws ServiceError 503 SERVER_BUSY for a client that has not read its share. */
  admit(client: string): void
  /**
   * An answer is about to be written. Where all have too much unwritten, the oldest answer of whoever has most of it ends.
   *
   * @throws ServiceError 503 SERVER_BUSY for a client that has not read its share, or has more than anybody else.
   */
  owe(client: string, bytes: number, response: ServerResponse): Debt
  /** The same for an answer that goes on: what it holds is looked at each second, and it begins whatever is unwritten. */
  follow(client: string, response: ServerResponse): void
  total(): number
  /** Answers that ended since the start because all had too much unwritten. */
  ended(): number
}

interface Owed {
  client: Client
  bytes: number
  response: ServerResponse
}

interface Client {
  name: string
  bytes: number
  /** The oldest first. */
  answers: Set<Owed>
}

/**
 * @param most Bytes of all answers together.
 * @param mostOfClient Bytes from which on a client's next request waits until it has read.
 */
export function createUnwrittenBytes(most: number, mostOfClient: number): UnwrittenBytes {
  const clients = new Map<string, Client>()
  const streams = new Set<Owed>()
  let total = 0
  let ended = 0
  let timer: NodeJS.Timeout | undefined

  const add = (owed: Owed, bytes: number) => {
    owed.bytes += bytes
    owed.client.bytes += bytes
    total += bytes
  }

  function open(name: string, response: ServerResponse): Owed {
    const client = clients.get(name) ?? { name, bytes: 0, answers: new Set() }
    clients.set(name, client)
    const owed = { client, bytes: 0, response }
    client.answers.add(owed)
    return owed
  }

  function close(owed: Owed): void {
    const { client } = owed
    if (!client.answers.delete(owed)) return
    add(owed, -owed.bytes)
    if (client.answers.size === 0) clients.delete(client.name)
  }

  function demand(name: string): void {
    if ((clients.get(name)?.bytes ?? 0) < mostOfClient) return
    throw serverBusy('Read the answers that you have asked for first')
  }

  const ofMost = () => [...clients.values()].reduce((one, other) => (other.bytes > one.bytes ? other : one))

  /** Ends answers of whoever has most, until there is room. @returns Whether there is, without ending any of the client's own. */
  function makeRoom(bytes: number, name: string | null): boolean {
    const isFull = () => total > 0 && total + bytes > most
    while (isFull()) {
      const heaviest = ofMost()
      const [oldest] = heaviest.answers
      if (!oldest || heaviest.name === name) return false
      close(oldest)
      ended += 1
      oldest.response.destroy()
    }
    return true
  }

  function look(): void {
    for (const owed of streams) add(owed, owed.response.writableLength - owed.bytes)
    makeRoom(0, null)
  }

  return {
    admit: demand,
    owe(name, bytes, response) {
      demand(name)
      if (!makeRoom(bytes, name)) throw serverBusy('Too many answers are not read yet; try again')
      const owed = open(name, response)
      add(owed, bytes)
      return { pay: (paid) => add(owed, -Math.min(paid, owed.bytes)), close: () => close(owed) }
    },
    follow(name, response) {
      const owed = open(name, response)
      streams.add(owed)
      timer ??= setInterval(look, LOOK_MS).unref()
      response.once('close', () => {
        close(owed)
        streams.delete(owed)
        if (streams.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
    },
    total: () => total,
    ended: () => ended,
  }
}
