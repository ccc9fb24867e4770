import { presentClient, type Client } from './client.ts'
import { Holdings } from './holdings.ts'

interface Kept<Value> {
  value: Value
  client: Client
  weight: number
}

/**
 * Keeps values of so much weight, whoever they were made for. A value belongs to the client that used it last. Where there is
 * no room, the client that has most gives up the value that it has not used for longest: a flood of one client pushes out its
 * own values and nobody else's.
 */
export class SharedPlaces<Key, Value> {
  readonly #most: number
  readonly #weigh: (value: Value, key: Key) => number
  readonly #kept = new Map<Key, Kept<Value>>()
  readonly #holdings = new Holdings<Key>()
  #weight = 0

  /** @param weigh Of a value, when it is kept; each is 1 unless given. */
  constructor(most: number, weigh: (value: Value, key: Key) => number = () => 1) {
    this.#most = most
    this.#weigh = weigh
  }

  get size(): number {
    return this.#kept.size
  }

  /** The value, which is the present client's from now on. */
  get(key: Key): Value | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    this.#holdings.remove(kept.client, key, kept.weight)
    kept.client = presentClient()
    this.#holdings.add(kept.client, key, kept.weight)
    return kept.value
  }

  /** Keeps a value for the present client; not one that weighs more than all may. */
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

  /** What is kept, the newest first, in turns of networks, and within one in turns of accounts. */
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
