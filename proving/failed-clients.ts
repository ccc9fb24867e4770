const CAPACITY = 10_000
const MEMORY_MS = 60_000

/** Remembers for a minute which clients' proofs failed, the last 10,000 of them. */
export class FailedClients {
  /** Expiry by client, in milliseconds of the monotonic clock; the oldest failure first. */
  readonly #until = new Map<string, number>()

  add(client: string): void {
    this.#until.delete(client)
    this.#until.set(client, performance.now() + MEMORY_MS)
    if (this.#until.size <= CAPACITY) return
    const oldest = this.#until.keys().next()
    if (!oldest.done) this.#until.delete(oldest.value)
  }

  has(client: string): boolean {
    const until = this.#until.get(client)
    if (until === undefined) return false
    if (until > performance.now()) return true
    this.#until.delete(client)
    return false
  }
}
