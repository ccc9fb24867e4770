import { presentClient, type Client } from './client.ts'
import { Holdings } from './holdings.ts'

interface Kept<Value> {
  value: Value
  client: Client
  weight: number
}

/**
 * A cache of bounded weight that all clients share. A value belongs to the client that used it last. When it is full, the
 * client with the most evicts its least recently used value. A flood by one client evicts only its own values.
 */
export class SharedPlaces<Key, Value> {
  readonly #most: number
  readonly #weigh: (value: Value, key: Key) => number
  readonly #kept = new Map<Key, Kept<Value>>()
  readonly #holdings = new Holdings<Key>()
  #weight = 0

  /** @param weigh Returns the weight of a value when it is stored; 1 for each unless given. */
  constructor(most: number, weigh: (value: Value, key: Key) => number = () => 1) {
    this.#most = most
    this.#weigh = weigh
  }

  get size(): number {
    return this.#kept.size
  }

  /** Returns the value and assigns it to the present client. */
  get(key: Key): Value | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    this.#holdings.remove(kept.client, key, kept.weight)
    kept.client = presentClient()
    this.#holdings.add(kept.client, key, kept.weight)
    return kept.value
  }

  /** Stores a value for the present client, unless its weight exceeds the whole. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const kept = { value, client: presentClient(), weight: this.#weigh(value, key) }
    if (kept.weight > this.#most) return
    this.#kept.set(key, kept)
    this.#weight += kept.weight
    this.#holdings.add(kept.client, key, kept.weight)
    while (this.#weight > this.#most) {
      const [oldest] = this.#holdings.ofHeaviest()
      this.delete(oldest as Key)
    }
  }

  delete(key: Key): void {
    const kept = this.#kept.get(key)
    if (!kept) return
    this.#holdings.remove(kept.client, key, kept.weight)
    this.#kept.delete(key)
    this.#weight -= kept.weight
  }

  /** Yields the stored values, newest first, alternating between networks and within a network between accounts. */
  *inTurns(): Generator<Value> {
    const all = [...this.#kept.values()].toReversed()
    const ofNetworks = Map.groupBy(all, ({ client }) => client.network)
    const turns = [...ofNetworks.values()].map((ofNetwork) =>
      takeTurns([...Map.groupBy(ofNetwork, ({ client }) => client.account).values()]),
    )
    for (const { value } of takeTurns(turns)) yield value
  }
}

function* takeTurns<Item>(lists: readonly Iterable<Item>[]): Generator<Item> {
  let turns = lists.map((list) => list[Symbol.iterator]())
  while (turns.length > 0) {
    const left: Iterator<Item>[] = []
    for (const turn of turns) {
      const { done, value } = turn.next()
      if (done) continue
      yield value
      left.push(turn)
    }
    turns = left
  }
}
