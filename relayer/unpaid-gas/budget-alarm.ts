import type { Logger } from 'pino'
import { gasToContracts, type GasByShare } from './budget-rules.ts'

/** Tells the operator when half of a limit is lost, and when somebody had to be refused; once each until less than half is. */
export interface BudgetAlarm {
  /** @param percent Of the limit that is used most; 100 once somebody was refused. */
  look(chainId: number, now: { lost: GasByShare; budget: bigint; percent: number }): void
}

export function createBudgetAlarm(logger: Logger): BudgetAlarm {
  const told = new Map<number, 50 | 100>()
  return {
    look(chainId, { lost, budget, percent }) {
      if (percent < 50) return void told.delete(chainId)
      const step = percent < 100 ? 50 : 100
      if ((told.get(chainId) ?? 0) >= step) return
      told.set(chainId, step)
      const facts = {
        chainId,
        budgetGas: String(budget),
        lostGas: String(gasToContracts(lost)),
        lostAtPlainAddresses: String(lost.plain),
      }
      if (step === 100) logger.error(facts, 'the budget of unpaid gas is used up: contracts are not paid for now')
      else logger.warn(facts, 'half of a limit of unpaid gas is used up')
    },
  }
}
