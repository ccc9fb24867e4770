const WINDOW_MS = 60_000
/** Milliseconds of CPU that one account's calls may take of the EVM in a window. */
const BUDGET_MS = 6_000
/** The slowest of six loops in our EVM: 0.085 to 0.13 ms for 1,000 gas. */
const MS_PER_GAS = 0.13 / 1_000
/** What any call takes, however little gas it needs: reading the state, and comparing balances. */
const LEAST_MS = 5
const MAX_GAS = 3_000_000n
const MAX_ACCOUNTS = 20_000

/** Bounds what accounts may have our EVM compute. */
export interface EvmBudget {
  /** Takes what a call of so much gas may cost; false where the account, or the EVM, has no room for it. */
  take(accountId: string, gasUsed: bigint): boolean
}

/**
 * Creates the budget: 6 s of CPU a minute and account, reckoned from the gas that a node measured, and no call of more than
 * 3,000,000 gas. What the EVM cannot check is told as the node tells it.
 */
export function createEvmBudget(now: () => number = () => performance.now()): EvmBudget {
  const spent = new Map<string, { since: number; ms: number }>()
  return {
    take(accountId, gasUsed) {
      if (gasUsed > MAX_GAS) return false
      const moment = now()
      const last = spent.get(accountId)
      const open = last && moment - last.since < WINDOW_MS ? last : { since: moment, ms: 0 }
      const cost = Math.max(LEAST_MS, Number(gasUsed) * MS_PER_GAS)
      if (open.ms + cost > BUDGET_MS) return false
      open.ms += cost
      spent.delete(accountId)
      spent.set(accountId, open)
      if (spent.size > MAX_ACCOUNTS) spent.delete(spent.keys().next().value ?? '')
      return true
    },
  }
}
