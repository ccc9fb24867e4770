import { LRUCache } from 'lru-cache'

/** Remembers for a minute which clients' proofs failed, the last 10,000 of them. */
export class FailedClients {
  readonly #failed = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })

  add(client: string): void {
    this.#failed.set(client, true)
  }

  has(client: string): boolean {
    return this.#failed.has(client)
  }
}
