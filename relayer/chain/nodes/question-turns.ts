import { randomFraction } from '../../concurrency/even-times.ts'
import { presentClient } from '../../shares/client.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'

/** Separates questions to nodes about different addresses of one account in time. */
export interface QuestionTurns {
  /**
   * Asks about an address of the present client's account. It waits if another of the account's addresses was asked about
   * lately. Questions without an account are asked at once.
   * @param of Number of addresses that the same purpose asks about; the more, the shorter the pauses.
   */
  about<Answer>(address: string, ask: () => Promise<Answer>, of?: number): Promise<Answer>
}

/** Most accounts that are remembered. */
const MAX_KNOWN = 10_000
/** Milliseconds after which a question goes out even if a node is slow. */
const LONGEST_MS = 10_000
/** Addresses of one purpose together take at most this many whole pauses; with more addresses each pause is shorter. */
const MOST_PAUSES = 3

/** The address that an account's questions are about, and the questions waiting to ask about another. */
interface Floor {
  address: string
  /** Pending questions. */
  running: number
  /** Milliseconds of the monotonic clock, from which another address may be asked about. */
  freeAt: number
  waiting: Set<Waiting>
  /** Ends the pause for waiting questions. */
  timer: NodeJS.Timeout | undefined
}

interface Waiting {
  address: string
  enter(): void
}

/**
 * Creates the turns of this instance.
 * @param spacingMs Milliseconds between the end of the last question about one address and the first about another. The
 * pause is random, of at least this and less than twice this, and less for purposes of many addresses. 0 separates nothing.
 */
export function createQuestionTurns(spacingMs: number): QuestionTurns {
  const floors = new SharedPlaces<string, Floor>(MAX_KNOWN)
  const now = () => performance.now()

  /** Admits the first waiting question once the floor is free, and with it all waiting questions about the same address. */
  function admit(floor: Floor): void {
    clearTimeout(floor.timer)
    const [first] = floor.waiting
    if (!first || floor.running > 0) return
    const pauseMs = floor.freeAt - now()
    if (pauseMs > 0) floor.timer = setTimeout(() => admit(floor), pauseMs)
    else for (const one of floor.waiting) if (one.address === first.address) one.enter()
  }

  function take(floor: Floor, address: string): Promise<void> {
    return new Promise((resolve) => {
      const one: Waiting = {
        address,
        enter() {
          clearTimeout(impatience)
          floor.waiting.delete(one)
          floor.address = address
          floor.running += 1
          resolve()
        },
      }
      const impatience = setTimeout(one.enter, LONGEST_MS)
      if (floor.address === address) one.enter()
      else {
        floor.waiting.add(one)
        admit(floor)
      }
    })
  }

  return {
    async about(address, ask, of = 1) {
      const { account } = presentClient()
      if (account === null || spacingMs === 0) return ask()
      const floor = floors.get(account) ?? {
        address,
        running: 0,
        freeAt: 0,
        waiting: new Set(),
        timer: undefined,
      }
      floors.set(account, floor)
      await take(floor, address)
      try {
        return await ask()
      } finally {
        floor.running -= 1
        const pauseMs = spacingMs * Math.min(1, MOST_PAUSES / Math.max(1, of - 1))
        floor.freeAt = now() + pauseMs * (1 + randomFraction())
        admit(floor)
      }
    },
  }
}
