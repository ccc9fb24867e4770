import type { ExecutionResult } from 'graphql'
import { isAsyncIterable } from 'graphql-yoga'
import type { Debt } from '../limits/unwritten-bytes.ts'
import { PING_MS } from './connection-limits.ts'

/** The outcome of an operation: one result, or a stream of results. */
export type DeliveredResult = ExecutionResult | AsyncIterable<ExecutionResult>

/** Event of the protocol: an operation's result, or its end. */
type EventName = 'next' | 'complete'

interface Waiting {
  text: string
  /** The operation that it belongs to; absent for a comment. */
  id?: string
  /** Called once it was read, or is dropped. */
  end(): void
}

/**
 * One connection that carries the results of many operations (graphql-sse, single connection mode). An operation waits
 * until the client has read its last result.
 */
export class EventSession {
  readonly #owe: (bytes: number) => Debt
  /** Aborts each running operation. */
  readonly #running = new Map<string, AbortController>()
  #waiting: Waiting[] = []
  #wake = () => {}
  #isClosed = false
  /** True once the client has opened the stream. */
  isOpen = false

  /** @param owe Counts bytes that wait for the client. @throws ServiceError if it has not read its share. */
  constructor(owe: (bytes: number) => Debt) {
    this.#owe = owe
  }

  get operations(): number {
    return this.#running.size
  }

  /** Registers an operation. @returns False if one with this id is running. */
  begin(id: string, ending: AbortController): boolean {
    if (this.#running.has(id)) return false
    this.#running.set(id, ending)
    if (this.#isClosed) ending.abort(new Error('the stream is closed'))
    return true
  }

  /** Forgets an operation that yielded nothing. */
  forget(id: string): void {
    this.#running.delete(id)
  }

  /** Ends an operation that the client does not want any more, and drops its results. */
  cancel(id: string): void {
    this.#running.get(id)?.abort(new Error('the client has ended the operation'))
    this.#running.delete(id)
    const dropped = this.#waiting.filter((one) => one.id === id)
    this.#waiting = this.#waiting.filter((one) => one.id !== id)
    for (const { end } of dropped) end()
  }

  /** Sends the results of an operation, and its end. A cut stream ends the connection: the client reconnects. */
  async deliver(id: string, result: DeliveredResult): Promise<void> {
    const ending = this.#running.get(id)
    const isWanted = () => this.#running.get(id) === ending
    try {
      if (!isAsyncIterable(result)) await this.#send('next', { id, payload: result })
      else
        for await (const payload of result) {
          if (!isWanted()) return
          await this.#send('next', { id, payload })
        }
      if (isWanted()) await this.#send('complete', { id })
    } catch {
      if (isWanted()) this.close()
    } finally {
      if (isWanted()) this.#running.delete(id)
    }
  }

  /** The stream for the client; it ends when the session is closed. */
  async *open(): AsyncGenerator<Uint8Array> {
    this.isOpen = true
    const ping = setInterval(() => {
      if (this.#waiting.length === 0) this.#push({ text: ':\n\n', end: () => {} })
    }, PING_MS).unref()
    try {
      yield Buffer.from(':\n\n')
      while (!this.#isClosed) {
        const next = this.#waiting.shift()
        if (next) {
          yield Buffer.from(next.text)
          next.end()
        } else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
      // Without `complete`, the client connects again.
      throw new Error('the session is closed')
    } finally {
      clearInterval(ping)
      this.close()
    }
  }

  /** Ends the stream and every operation. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const ending of this.#running.values()) ending.abort(new Error('the client has gone'))
    this.#running.clear()
    for (const { end } of this.#waiting.splice(0)) end()
    this.#wake()
  }

  /** @throws ServiceError if the client has not read its share. */
  #send(event: EventName, data: { id: string; payload?: ExecutionResult }): Promise<void> {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    if (this.#isClosed) return Promise.resolve()
    const debt = this.#owe(text.length)
    return new Promise((resolve) => {
      const end = () => {
        debt.close()
        resolve()
      }
      this.#push({ text, id: data.id, end })
    })
  }

  #push(waiting: Waiting): void {
    this.#waiting.push(waiting)
    this.#wake()
  }
}
