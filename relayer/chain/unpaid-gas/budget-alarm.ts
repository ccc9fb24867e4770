import type { Logger } from 'pino'
import { gasOfKnown, gasOfStrangers, type GasByShare } from './budget-rules.ts'

/** An alarm ends this long after its last sign; a new sign then alarms again. */
const OVER_AFTER_MS = 600_000

/** Alarms the operator when half of a limit is lost, and when a request was refused; once each while it lasts. */
export interface BudgetAlarm {
  /** @param percent Percentage of the most used limit; 100 once a request was refused. */
  look(
    chainId: number,
    unpaid: { lost: GasByShare; atRisk: GasByShare; budget: bigint; percent: number },
  ): void
}

/** @param now Milliseconds of a monotonic clock. */
export function createBudgetAlarm(logger: Logger, now = () => performance.now()): BudgetAlarm {
  const told = new Map<number, { step: 50 | 100; seenAt: number }>()
  return {
    look(chainId, { lost, atRisk, budget, percent }) {
      const last = told.get(chainId)
      if (percent < 50) {
        if (last && now() - last.seenAt > OVER_AFTER_MS) told.delete(chainId)
        return
      }
      const step = percent < 100 ? 50 : 100
      told.set(chainId, { step: last && last.step > step ? last.step : step, seenAt: now() })
      if (last && last.step >= step) return
      const facts = {
        chainId,
        budgetGas: String(budget),
        lostGas: String(gasOfStrangers(lost)),
        atRiskGas: String(gasOfStrangers(atRisk)),
        lostByKnownCode: String(gasOfKnown(lost)),
        atRiskByKnownCode: String(gasOfKnown(atRisk)),
      }
      if (step === 100)
        logger.error(
          facts,
          'a share of the budget of unpaid gas is used up: some requests are refused for now',
        )
      else logger.warn(facts, 'half of a limit of unpaid gas is used up')
    },
  }
}
