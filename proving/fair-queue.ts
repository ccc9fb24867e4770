/**
 * A queue that serves its clients round-robin, one item each, so that one client's backlog delays no other.
 */
export class FairQueue<T> {
  /** Clients in the order in which they are served next; none without items. */
  readonly #clients = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  countOf(client: string): number {
    return this.#clients.get(client)?.length ?? 0
  }

  add(client: string, item: T): void {
    const items = this.#clients.get(client)
    if (items) items.push(item)
    else this.#clients.set(client, [item])
    this.#size += 1
  }

  /** Removes and returns at most `limit` items. */
  take(limit: number): T[] {
    const taken: T[] = []
    while (taken.length < limit) {
      const next = this.#clients.entries().next()
      if (next.done) break
      const [client, items] = next.value
      taken.push(...items.splice(0, 1))
      this.#clients.delete(client)
      if (items.length > 0) this.#clients.set(client, items) // behind the others
    }
    this.#size -= taken.length
    return taken
  }
}
