import { createSharedBudget } from '../../shares/shared-budget.ts'
import { createSharedTurns } from '../../shares/shared-turns.ts'

const WINDOW_MS = 60_000
/** Milliseconds of CPU that the calls of all accounts may take of the EVM in a window: quotes of swaps and bridges need it too. */
const BUDGET_MS = 30_000
/** What each account is sure of: a call of 1,000,000 gas, or several of those that people make. */
const SURE_MS = 140
/** A hundred accounts are sure of theirs at once. */
const RESERVE_MS = 100 * SURE_MS
/** The slowest of six loops in our EVM: 0.085 to 0.13 ms for 1,000 gas. */
const MS_PER_GAS = 0.13 / 1_000
/** What any call takes, however little gas it needs: reading the state, and comparing balances. */
const LEAST_MS = 5
/** Others in the EVM wait that long at most: 0.13 s. Few calls that people make need more. */
const MAX_GAS = 1_000_000n
/** Calls in the EVM at once: a quote waits behind no more. */
const AT_ONCE = 8
const MOST_WAITING = 64

/** Why a call was not run in our EVM: it takes more than any may, or its account's share has no room now. */
export type LeftOut = 'too-much' | 'no-share'

/** Bounds what accounts may have our EVM compute. */
export interface EvmBudget {
  /**
   * Runs what may cost so much gas, on the present client's share; or says why it was not run.
   * @param cpuOf Milliseconds of CPU that it took. What exceeds the estimate is charged afterwards.
   */
  run<T>(gasUsed: bigint, work: () => Promise<T>, cpuOf?: (result: T) => number): Promise<T | LeftOut>
}

/**
 * Creates the budget: 30 s of CPU a minute, shared by all networks and accounts, reckoned from the gas that a node measured, or
 * as measured where that is more: BLAKE2 takes four times as long for its gas. The first 140 ms of an account are always
 * served. No call of more than 1,000,000 gas. What the EVM cannot check is told as the node tells it.
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
