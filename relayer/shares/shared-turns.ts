import { presentClient, type Client } from './client.ts'
import { Holdings } from './holdings.ts'

/** Limits of concurrent work. */
export interface TurnsTerms {
  atOnce: number
  /** Most concurrent work of one account of a network, however much is free; without it, `atOnce`. */
  mostOfAccount?: number
  /** Most waiting work. */
  mostWaiting: number
  /** Creates the error of refused work. */
  refuse: () => Error
}

/** Networks and accounts whose last turn is remembered. */
const MOST_REMEMBERED = 10_000

/** Runs the work of all clients with bounded concurrency. */
export interface SharedTurns {
  /** Amount of waiting work. */
  readonly waiting: number
  /** Runs work at the present client's turn. @throws The error of `refuse` where too much waits. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

interface Waiting {
  client: Client
  begin(turn: object): void
  giveUp(): void
}

/**
 * Creates turns. A free turn goes to the network with the least running work, among equals to the one whose last turn is
 * oldest. Within the network it goes likewise to an account, and there to its oldest work. When the queue is full, the
 * newest work of the client with the most waiting work is refused.
 */
export function createSharedTurns(terms: TurnsTerms): SharedTurns {
  return new Turns(terms)
}

class Turns implements SharedTurns {
  readonly #terms: TurnsTerms
  readonly #mostOfAccount: number
  readonly #waiting = new Holdings<Waiting>()
  readonly #running = new Holdings<object>()
  /** The last turn of each, as a count of turns. */
  readonly #lastTurns = new Map<string, number>()
  #turns = 0
  #runningNow = 0
  #waitingNow = 0

  constructor(terms: TurnsTerms) {
    this.#terms = terms
    this.#mostOfAccount = terms.mostOfAccount ?? terms.atOnce
  }

  get waiting(): number {
    return this.#waitingNow
  }

  /** An arrow, because callers pass it on without the turns. */
  readonly run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const client = presentClient()
    const turn = await this.#come(client)
    try {
      return await work()
    } finally {
      this.#giveBack(client, turn)
    }
  }

  async #come(client: Client): Promise<object> {
    if (this.#runningNow >= this.#terms.atOnce || this.#hasAll(client)) return this.#wait(client)
    this.#runningNow += 1
    return this.#take(client)
  }

  #wait(client: Client): Promise<object> {
    return new Promise<object>((resolve, reject) => {
      const one: Waiting = { client, begin: resolve, giveUp: () => reject(this.#terms.refuse()) }
      this.#waiting.add(client, one)
      this.#waitingNow += 1
      if (this.#waitingNow <= this.#terms.mostWaiting) return
      const newest = [...this.#waiting.ofHeaviest()].at(-1) ?? one
      this.#leave(newest)
      newest.giveUp()
    })
  }

  #take(client: Client): object {
    const turn = {}
    this.#running.add(client, turn)
    this.#noteTurn(client.network)
    this.#noteTurn(nameOf(client))
    return turn
  }

  #giveBack(client: Client, turn: object): void {
    this.#running.remove(client, turn)
    const next = this.#nextUp()
    if (!next) {
      this.#runningNow -= 1
      return
    }
    this.#leave(next)
    next.begin(this.#take(next.client))
  }

  #nextUp(): Waiting | undefined {
    let next: { one: Waiting; rank: readonly number[] } | undefined
    for (const one of this.#waiting.oldest()) {
      if (this.#hasAll(one.client)) continue
      const rank = this.#rankOf(one.client)
      if (!next || isBefore(rank, next.rank)) next = { one, rank }
    }
    return next?.one
  }

  #hasAll(client: Client): boolean {
    return client.account !== null && this.#running.of(client).account >= this.#mostOfAccount
  }

  #rankOf(client: Client): readonly number[] {
    const has = this.#running.of(client)
    const lastOf = (name: string) => this.#lastTurns.get(name) ?? 0
    return [has.network, lastOf(client.network), has.account, lastOf(nameOf(client))]
  }

  #noteTurn(name: string): void {
    this.#lastTurns.delete(name)
    this.#lastTurns.set(name, ++this.#turns)
    const [oldest] = this.#lastTurns.keys()
    if (this.#lastTurns.size > MOST_REMEMBERED && oldest !== undefined) this.#lastTurns.delete(oldest)
  }

  #leave(one: Waiting): void {
    this.#waiting.remove(one.client, one)
    this.#waitingNow -= 1
  }
}

const nameOf = ({ network, account }: Client) => `${network} ${account ?? ''}`

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((rank, index) => rank !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}
