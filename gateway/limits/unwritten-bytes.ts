import type { ServerResponse } from 'node:http'
import { serverBusy } from '../../relayer/errors.ts'

/** Interval of checks of streaming answers, in milliseconds. */
const LOOK_MS = 1_000

/** An answer that is not fully written yet. */
export interface Debt {
  /** Subtracts bytes that the kernel accepted. */
  pay(bytes: number): void
  /** Ends the count. */
  close(): void
}

/** Counts bytes of answers that the service holds until their clients read them, by network and in all. */
export interface UnwrittenBytes {
  /** @throws ServiceError 503 SERVER_BUSY for a client that has not read its share. */
  admit(client: string): void
  /**
   * Counts an answer that is about to be written. If all answers together exceed the limit, the client with the most
   * unwritten loses its oldest answer.
   *
   * @throws ServiceError 503 SERVER_BUSY for a client that has not read its share, or has the most of all.
   */
  owe(client: string, bytes: number, response: ServerResponse): Debt
  /** The same for a streaming answer: its unwritten bytes are checked each second, and it may always begin. */
  follow(client: string, response: ServerResponse): void
  total(): number
  /** Answers cut since the start because all together exceeded the limit. */
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
  /** Oldest first. */
  answers: Set<Owed>
}

/**
 * Creates the count.
 *
 * @param most Bytes of all answers together.
 * @param mostOfClient Unread bytes from which on a client's next requests are refused.
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

  /**
   * Ends answers of the clients with the most, until there is room. @returns True if there is room without ending one
   * of the client's own.
   */
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
