import { simulationFailed } from '../../chain/errors.ts'
import type { QuotePlan } from '../kinds/quote-plan.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { measureIntents, type IntentTerms, type MeasuredIntent } from './build-intents.ts'
import type { ChosenFunds } from './choose-funds.ts'

/** A plan as it will be signed, with its intents. */
export interface RunPlan {
  plan: QuotePlan
  intents: readonly MeasuredIntent[]
}

/**
 * Builds the intents of a plan and runs them. A plan that learns what its calls deliver, and whose calls do not deliver what
 * it says, is run once more with calls that accept any output, and then as what that run showed.
 * @throws ServiceError as measureIntents does, and as the plan does when nobody should agree to what is delivered.
 */
export async function runPlan(
  parts: Parameters<typeof measureIntents>[0],
  sending: SendingChain,
  { plan, funds, ...terms }: { plan: QuotePlan; funds: ChosenFunds } & IntentTerms,
): Promise<RunPlan> {
  const run = (of: QuotePlan) => measureIntents(parts, sending, funds, of, terms)
  const { learning } = plan
  try {
    return { plan, intents: await run(plan) }
  } catch (error) {
    if (!learning || !simulationFailed.matches(error)) throw error
  }
  await run(learning.trial)
  const settled = learning.settle()
  return { plan: settled, intents: await run(settled) }
}
