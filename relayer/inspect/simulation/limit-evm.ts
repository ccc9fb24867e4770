const WINDOW_MS = 60_000
/** Milliseconds of CPU that one account's calls may take of the EVM in a window. */
const BUDGET_MS = 6_000
/** The same for all accounts together: accounts cost nothing, and quotes of swaps and bridges need the EVM too. */
const BUDGET_OF_ALL_MS = 30_000
/** The slowest of six loops in our EVM: 0.085 to 0.13 ms for 1,000 gas. */
const MS_PER_GAS = 0.13 / 1_000
/** What any call takes, however little gas it needs: reading the state, and comparing balances. */
const LEAST_MS = 5
/** Others in the EVM wait that long at most: 0.13 s. Few calls that people make need more. */
const MAX_GAS = 1_000_000n
/** Calls in the EVM at once: a quote waits behind no more. */
const MAX_AT_ONCE = 8
const MAX_ACCOUNTS = 20_000

/** Bounds what accounts may have our EVM compute. */
export interface EvmBudget {
  /**
   * Runs what may cost so much gas; null, without running it, where the account or the EVM has no room for it.
   * @param cpuOf Milliseconds of CPU that it took. What exceeds the estimate is charged afterwards.
   */
  run<T>(
    accountId: string,
    gasUsed: bigint,
    work: () => Promise<T>,
    cpuOf?: (result: T) => number,
  ): Promise<T | null>
}

interface Spent {
  since: number
  ms: number
}

/**
 * Creates the budget: 6 s of CPU a minute and account, 30 s in all, reckoned from the gas that a node measured, or as
 * measured where that is more: BLAKE2 takes four times as long for its gas. No call of more than 1,000,000 gas. What the EVM
 * cannot check is told as the node tells it.
 */
export function createEvmBudget(now: () => number = () => performance.now()): EvmBudget {
  const ofAccounts = new Map<string, Spent>()
  let ofAll: Spent = { since: now(), ms: 0 }
  let running = 0
  const open = (last: Spent | undefined, moment: number) =>
    last && moment - last.since < WINDOW_MS ? last : { since: moment, ms: 0 }

  function take(accountId: string, cost: number): Spent | null {
    const moment = now()
    const account = open(ofAccounts.get(accountId), moment)
    ofAll = open(ofAll, moment)
    if (account.ms + cost > BUDGET_MS || ofAll.ms + cost > BUDGET_OF_ALL_MS) return null
    account.ms += cost
    ofAll.ms += cost
    ofAccounts.delete(accountId)
    ofAccounts.set(accountId, account)
    if (ofAccounts.size > MAX_ACCOUNTS) ofAccounts.delete(ofAccounts.keys().next().value ?? '')
    return account
  }

  return {
    async run(accountId, gasUsed, work, cpuOf = () => 0) {
      if (gasUsed > MAX_GAS || running >= MAX_AT_ONCE) return null
      const cost = Math.max(LEAST_MS, Number(gasUsed) * MS_PER_GAS)
      const account = take(accountId, cost)
      if (!account) return null
      running += 1
      try {
        const result = await work()
        const more = Math.max(0, cpuOf(result) - cost)
        account.ms += more
        ofAll.ms += more
        return result
      } finally {
        running -= 1
      }
    },
  }
}
