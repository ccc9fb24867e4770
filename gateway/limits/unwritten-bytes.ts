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

/** Something that holds bytes for a client, and can be ended. */
export interface AnswerHolder {
  destroy(): unknown
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
  owe(client: string, bytes: number, holder: AnswerHolder): Debt
  /** The same for a streaming answer: its unwritten bytes are checked each second, and it may always begin. */
  follow(client: string, response: ServerResponse): void
  total(): number
  /** Answers cut since the start because all together exceeded the limit. */
  ended(): number
}

interface Owed {
  client: Client
  bytes: number
  holder: AnswerHolder
}

interface Stream extends Owed {
  holder: AnswerHolder & Pick<ServerResponse, 'writableLength'>
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
  return new ByteCount(most, mostOfClient)
}

class ByteCount implements UnwrittenBytes {
  readonly #most: number
  readonly #mostOfClient: number
  readonly #clients = new Map<string, Client>()
  readonly #streams = new Set<Stream>()
  #total = 0
  #ended = 0
  #timer: NodeJS.Timeout | undefined

  constructor(most: number, mostOfClient: number) {
    this.#most = most
    this.#mostOfClient = mostOfClient
  }

  admit(name: string): void {
    if ((this.#clients.get(name)?.bytes ?? 0) < this.#mostOfClient) return
    throw serverBusy('Read the answers that you have asked for first')
  }

  owe(name: string, bytes: number, holder: AnswerHolder): Debt {
    this.admit(name)
    if (!this.#makeRoom(bytes, name)) throw serverBusy('Too many answers are not read yet; try again')
    const owed = this.#open(name, holder)
    this.#add(owed, bytes)
    return {
      pay: (paid) => this.#add(owed, -Math.min(paid, owed.bytes)),
      close: () => this.#close(owed),
    }
  }

  follow(name: string, response: ServerResponse): void {
    const owed = this.#open(name, response)
    this.#streams.add(owed)
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
    response.once('close', () => {
      this.#close(owed)
      this.#streams.delete(owed)
      if (this.#streams.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
  }

  total(): number {
    return this.#total
  }

  ended(): number {
    return this.#ended
  }

  #add(owed: Owed, bytes: number): void {
    owed.bytes += bytes
    owed.client.bytes += bytes
    this.#total += bytes
  }

  #open<Held extends AnswerHolder>(name: string, holder: Held) {
    const client = this.#clients.get(name) ?? { name, bytes: 0, answers: new Set() }
    this.#clients.set(name, client)
    const owed = { client, bytes: 0, holder }
    client.answers.add(owed)
    return owed
  }

  #close(owed: Owed): void {
    const { client } = owed
    if (!client.answers.delete(owed)) return
    this.#add(owed, -owed.bytes)
    if (client.answers.size === 0) this.#clients.delete(client.name)
  }

  /**
   * Ends answers of the clients with the most, until there is room. @returns True if there is room without ending one
   * of the client's own.
   */
  #makeRoom(bytes: number, name: string | null): boolean {
    const isFull = () => this.#total > 0 && this.#total + bytes > this.#most
    while (isFull()) {
      const heaviest = [...this.#clients.values()].reduce((one, other) =>
        other.bytes > one.bytes ? other : one,
      )
      const [oldest] = heaviest.answers
      if (!oldest || heaviest.name === name) return false
      this.#close(oldest)
      this.#ended += 1
      oldest.holder.destroy()
    }
    return true
  }

  #look(): void {
    for (const owed of this.#streams) this.#add(owed, owed.holder.writableLength - owed.bytes)
    this.#makeRoom(0, null)
  }
}
