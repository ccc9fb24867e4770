import { simulationFailed } from '../../chain/errors.ts'
import type { QuotePlan } from '../kinds/quote-plan.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { buildIntents, measureIntents, type IntentTerms, type MeasuredIntent } from './build-intents.ts'
import type { ChosenFunds } from './choose-funds.ts'
import type { QuoteParts } from './quote-parts.ts'

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
  parts: Pick<QuoteParts, 'proving' | 'config'>,
  sending: SendingChain,
  { plan, funds, ...terms }: { plan: QuotePlan; funds: ChosenFunds } & IntentTerms,
): Promise<RunPlan> {
  const run = async (of: QuotePlan) =>
    measureIntents(parts, sending, await buildIntents(sending, funds, of, terms), {
      plan: of,
      likelyGas: funds.spending.combinedGas,
    })
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
