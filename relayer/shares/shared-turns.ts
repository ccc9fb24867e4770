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
export function createSharedTurns({
  atOnce,
  mostOfAccount = atOnce,
  mostWaiting,
  refuse,
}: TurnsTerms): SharedTurns {
  const waiting = new Holdings<Waiting>()
  const running = new Holdings<object>()
  /** The last turn of each, as a count of turns. */
  const lastTurns = new Map<string, number>()
  let turns = 0
  let runningNow = 0
  let waitingNow = 0

  function nextUp(): Waiting | undefined {
    let next: { one: Waiting; rank: readonly number[] } | undefined
    for (const one of waiting.oldest()) {
      if (hasAll(one.client)) continue
      const rank = rankOf(one.client)
      if (!next || isBefore(rank, next.rank)) next = { one, rank }
    }
    return next?.one
  }

  const hasAll = (client: Client) => client.account !== null && running.of(client).account >= mostOfAccount

  function rankOf(client: Client): readonly number[] {
    const has = running.of(client)
    return [has.network, lastTurns.get(client.network) ?? 0, has.account, lastTurns.get(nameOf(client)) ?? 0]
  }

  function noteTurn(name: string): void {
    lastTurns.delete(name)
    lastTurns.set(name, ++turns)
    const [oldest] = lastTurns.keys()
    if (lastTurns.size > MOST_REMEMBERED && oldest !== undefined) lastTurns.delete(oldest)
  }

  function leave(one: Waiting): void {
    waiting.remove(one.client, one)
    waitingNow -= 1
  }

  const wait = (client: Client) =>
    new Promise<object>((resolve, reject) => {
      const one: Waiting = { client, begin: resolve, giveUp: () => reject(refuse()) }
      waiting.add(client, one)
      waitingNow += 1
      if (waitingNow <= mostWaiting) return
      const newest = [...waiting.ofHeaviest()].at(-1) ?? one
      leave(newest)
      newest.giveUp()
    })

  function take(client: Client): object {
    const turn = {}
    running.add(client, turn)
    noteTurn(client.network)
    noteTurn(nameOf(client))
    return turn
  }

  function giveBack(client: Client, turn: object): void {
    running.remove(client, turn)
    const next = nextUp()
    if (!next) {
      runningNow -= 1
      return
    }
    leave(next)
    next.begin(take(next.client))
  }

  async function come(client: Client): Promise<object> {
    if (runningNow >= atOnce || hasAll(client)) return wait(client)
    runningNow += 1
    return take(client)
  }

  return {
    get waiting() {
      return waitingNow
    },
    async run(work) {
      const client = presentClient()
      const turn = await come(client)
      try {
        return await work()
      } finally {
        giveBack(client, turn)
      }
    },
  }
}

const nameOf = ({ network, account }: Client) => `${network} ${account ?? ''}`

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((rank, index) => rank !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}
