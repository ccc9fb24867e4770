import { randomFraction } from '../../concurrency/random-fraction.ts'
import { presentClient } from '../../shares/client.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'

/** Keeps apart in time what nodes are asked about different addresses of one account. */
export interface QuestionTurns {
  /**
   * Asks about an address of the present client's account, at once if no other of its addresses was asked about lately, else
   * some time after that one. What no account began is asked at once.
   * @param of How many addresses are asked about for the same purpose: the more, the shorter are the pauses.
   */
  about<Answer>(address: string, ask: () => Promise<Answer>, of?: number): Promise<Answer>
}

/** Accounts that are remembered at most. */
const MAX_KNOWN = 10_000
/** Milliseconds; nobody waits longer because a node is slow. */
const LONGEST_MS = 10_000
/** So many whole pauses last those of one purpose together; with more addresses each is shorter. */
const MOST_PAUSES = 3

/** The address that an account's questions are about, and who waits to ask about another. */
interface Floor {
  address: string
  /** Questions under way. */
  running: number
  /** Milliseconds of the monotonic clock; another address is asked about from then on. */
  freeAt: number
  waiting: Set<Waiting>
  /** Ends the pause for those who wait. */
  timer: NodeJS.Timeout | undefined
}

interface Waiting {
  address: string
  enter(): void
}

/**
 * Creates the turns of this instance.
 * @param spacingMs Between the end of questions about one address and the first about another: at least so many
 * milliseconds, and less than twice as many, at random; less where a purpose is about many. 0 keeps nothing apart.
 */
export function createQuestionTurns(spacingMs: number): QuestionTurns {
  const floors = new SharedPlaces<string, Floor>(MAX_KNOWN)
  const now = () => performance.now()

  /** Lets the first who waits ask once the floor is free, and with it all who wait for the same address. */
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
