import { presentClient, SERVICE, type Client } from './client.ts'
import { mostOf } from './threshold.ts'

/** The part of the whole that may be drawn at once; the rest of a window's units return as the window passes. */
const AT_ONCE = 1 / 3
/** `least` is guaranteed to this many accounts of one network. */
const SURE_ACCOUNTS = 4
/** Windows without a draw after which a use is dropped: all but a hundred-millionth has decayed. */
const FORGOTTEN_AFTER = 10
const MOST_REMEMBERED = 50_000

/** How large a budget is. */
export interface BudgetTerms {
  /** Units that all clients together may draw in a window. */
  whole: number
  windowMs: number
  /** Units guaranteed to each account, however much others drew; none by default. */
  least?: number
  /** Guaranteed units of all accounts together at once, above the whole. A window may see three times as much. */
  reserve?: number
}

/** A budget that no client can exhaust for the others. */
export interface SharedBudget {
  /** Draws units from the present client's share; returns false, and draws nothing, where it has no room for them. */
  draw(units: number): boolean
  /** Adds units that work used beyond its draw: they are spent already, so this never refuses. */
  charge(units: number): void
}

/**
 * Creates a budget of `whole` units a window, divided by a dynamic threshold. A network may have twice what is still free,
 * and an account twice what is still free of its network's part. Alone, a network gets two thirds; n equal ones get 2/(2n+1)
 * each, and a newcomer always finds something. Drawn units decay exponentially, with half a window as the time constant. At
 * most a third of the whole may be drawn at once, so no window exceeds the whole.
 *
 * @param now Milliseconds of a monotonic clock.
 */
export function createSharedBudget(
  { whole, windowMs, least = 0, reserve = 0 }: BudgetTerms,
  now: () => number = () => performance.now(),
): SharedBudget {
  const most = whole * AT_ONCE
  const all = createUse(windowMs)
  const sure = createUse(windowMs)
  const networks = createUses(windowMs)
  const accounts = createUses(windowMs)

  function isFair(units: number, ofNetwork: number, ofAccount: number, moment: number): boolean {
    const free = most - all.at(moment)
    const part = mostOf(free, ofNetwork)
    return (
      units <= free && ofNetwork + units <= part && ofAccount + units <= mostOf(part - ofNetwork, ofAccount)
    )
  }

  const isSure = (units: number, ofNetwork: number, ofAccount: number, moment: number) =>
    ofAccount + units <= least &&
    ofNetwork + units <= SURE_ACCOUNTS * least &&
    sure.at(moment) + units <= reserve

  function note(client: Client, moment: number, units: number): void {
    all.add(moment, units)
    if (client === SERVICE) return
    networks.add(client.network, moment, units)
    accounts.add(nameOf(client), moment, units)
  }

  return {
    draw(units) {
      const client = presentClient()
      const moment = now()
      if (client === SERVICE) {
        if (all.at(moment) + units > most) return false
      } else {
        const ofNetwork = networks.at(client.network, moment)
        const ofAccount = accounts.at(nameOf(client), moment)
        if (!isFair(units, ofNetwork, ofAccount, moment)) {
          if (!isSure(units, ofNetwork, ofAccount, moment)) return false
          sure.add(moment, units)
        }
      }
      note(client, moment, units)
      return true
    },
    charge(units) {
      if (units > 0) note(presentClient(), now(), units)
    },
  }
}

const nameOf = ({ network, account }: Client) => `${network} ${account ?? ''}`

/** Drawn units, decaying over time. */
function createUse(windowMs: number) {
  let units = 0
  let since = 0
  const isForgotten = (moment: number) => moment - since > FORGOTTEN_AFTER * windowMs
  const at = (moment: number) =>
    isForgotten(moment) ? 0 : units * Math.exp((-2 * (moment - since)) / windowMs)
  return {
    at,
    add(moment: number, more: number) {
      units = at(moment) + more
      since = moment
    },
    isForgotten,
  }
}

/** Uses by name, in the order of their last draw. */
function createUses(windowMs: number) {
  const uses = new Map<string, ReturnType<typeof createUse>>()
  return {
    at: (name: string, moment: number) => uses.get(name)?.at(moment) ?? 0,
    add(name: string, moment: number, units: number) {
      const use = uses.get(name) ?? createUse(windowMs)
      use.add(moment, units)
      uses.delete(name)
      uses.set(name, use)
      for (const [oldest, { isForgotten }] of uses) {
        if (uses.size <= MOST_REMEMBERED && !isForgotten(moment)) break
        uses.delete(oldest)
      }
    },
  }
}

/**
 * Creates a budget of questions to an outside service, at most `perMinute` of them. A third is reserved for first questions.
 * An account that asked nothing for ten minutes is answered whatever others ask, for up to four accounts of a network.
 */
export function createQuestionBudget(perMinute: number, now?: () => number): SharedBudget {
  return createSharedBudget(
    { whole: (perMinute * 2) / 3, windowMs: 60_000, least: 1, reserve: perMinute / 9 },
    now,
  )
}
