import { createSharedBudget } from '../../shares/shared-budget.ts'
import { createSharedTurns } from '../../shares/shared-turns.ts'

const WINDOW_MS = 60_000
/** Milliseconds of EVM CPU for the calls of all accounts in a window; quotes of swaps and bridges need the EVM too. */
const BUDGET_MS = 30_000
/** Milliseconds that each account is guaranteed: a call of 1,000,000 gas, or several typical ones. */
const SURE_MS = 140
/** Guarantees of a hundred accounts at once. */
const RESERVE_MS = 100 * SURE_MS
/** The slowest of six loops in the service's EVM: 0.085 to 0.13 ms for 1,000 gas. */
const MS_PER_GAS = 0.13 / 1_000
/** Milliseconds of any call, however little gas it needs: reading the state and comparing balances. */
const LEAST_MS = 5
/** Maximum gas of a call, 0.13 s, which bounds the wait of others in the EVM. Few typical calls need more. */
const MAX_GAS = 1_000_000n
/** Maximum of calls in the EVM at once, which bounds the wait of a quote. */
const AT_ONCE = 8
const MOST_WAITING = 64

/** Reasons why the service's EVM did not run a call: it exceeds the maximum, or the account's share is used up. */
export type LeftOut = 'too-much' | 'no-share'

/** Limits the accounts' use of the service's EVM. */
export interface EvmBudget {
  /**
   * Runs work of this much gas on the present client's share; or returns why it did not run.
   * @param cpuOf Milliseconds of CPU that it took. An excess over the estimate is charged afterwards.
   */
  run<T>(gasUsed: bigint, work: () => Promise<T>, cpuOf?: (result: T) => number): Promise<T | LeftOut>
}

/**
 * Creates the budget: 30 s of CPU a minute, shared by all networks and accounts. The cost is estimated from the
 * node's gas, and corrected upward by measurement: BLAKE2 takes four times as long for its gas. The first 140 ms of
 * an account are guaranteed. A call of more than 1,000,000 gas is not run. The node's answer stands for an unchecked
 * call.
 */
export function createEvmBudget(now?: () => number): EvmBudget {
  const budget = createSharedBudget(
    { whole: BUDGET_MS, windowMs: WINDOW_MS, least: SURE_MS, reserve: RESERVE_MS },
    now,
  )
  const turns = createSharedTurns({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING, refuse: () => new NoTurn() })

  return {
    async run(gasUsed, work, cpuOf = () => 0) {
      if (gasUsed > MAX_GAS) return 'too-much'
      const cost = Math.max(LEAST_MS, Number(gasUsed) * MS_PER_GAS)
      if (!budget.draw(cost)) return 'no-share'
      try {
        return await turns.run(async () => {
          const result = await work()
          budget.charge(cpuOf(result) - cost)
          return result
        })
      } catch (error) {
        if (error instanceof NoTurn) return 'no-share'
        throw error
      }
    },
  }
}

class NoTurn extends Error {}
