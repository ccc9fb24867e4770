import { setTimeout as sleep } from 'node:timers/promises'
import { presentClient } from '../../shares/client.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'

/** Keeps apart in time what nodes are asked about different addresses of one account. */
export interface QuestionTurns {
  /**
   * Asks about an address of the present client's account, at once if no other of its addresses was asked about lately, else
   * some time after that one. What no account began is asked at once.
   */
  about<Answer>(address: string, ask: () => Promise<Answer>): Promise<Answer>
}

/** Accounts that are remembered at most. */
const MAX_KNOWN = 10_000
/** Milliseconds; nobody waits longer because a node is slow. */
const LONGEST_MS = 10_000
/** Milliseconds between looks at whether what is asked has been answered. */
const LOOK_MS = 20

/** The address that an account's questions are about. */
interface Floor {
  address: string
  /** Questions under way. */
  running: number
  /** Milliseconds of the monotonic clock; another address is asked about from then on. */
  freeAt: number
}

/**
 * Creates the turns of this instance.
 * @param spacingMs Between the end of questions about one address and the first about another: at least so many
 * milliseconds, and less than twice as many, at random; 0 keeps nothing apart.
 */
export function createQuestionTurns(spacingMs: number): QuestionTurns {
  const floors = new SharedPlaces<string, Floor>(MAX_KNOWN)
  const now = () => performance.now()

  async function take(account: string, address: string): Promise<Floor> {
    const latest = now() + LONGEST_MS
    for (;;) {
      const floor = floors.get(account) ?? { address, running: 0, freeAt: 0 }
      const mayAsk = floor.address === address || (floor.running === 0 && now() >= floor.freeAt)
      if (mayAsk || now() >= latest) {
        floor.address = address
        floor.running += 1
        floors.set(account, floor)
        return floor
      }
      await sleep(floor.running > 0 ? LOOK_MS : Math.max(1, floor.freeAt - now()))
    }
  }

  return {
    async about(address, ask) {
      const { account } = presentClient()
      if (account === null || spacingMs === 0) return ask()
      const floor = await take(account, address)
      try {
        return await ask()
      } finally {
        floor.running -= 1
        floor.freeAt = now() + spacingMs * (1 + Math.random())
      }
    },
  }
}
