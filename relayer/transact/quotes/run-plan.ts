import { simulationFailed } from '../../chain/errors.ts'
import type { QuotePlan } from '../kinds/quote-plan.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { measureIntents, type IntentTerms, type MeasuredIntent } from './build-intents.ts'
import type { ChosenFunds } from './choose-funds.ts'

/** A plan in its final form, with its intents. */
export interface RunPlan {
  plan: QuotePlan
  intents: readonly MeasuredIntent[]
}

/**
 * Builds the intents of a plan and runs them. If the calls do not deliver the planned output and the plan can learn it,
 * they are run again with calls that accept any output. The plan for that output is run last.
 * @throws ServiceError as measureIntents does, and as the plan does for an unacceptable output.
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
