import { simulationFailed } from '../../chain/errors.ts'

/**
 * Works with a plan; if its calls fail, with the plan's alternative.
 * @throws ServiceError that the work throws; SIMULATION_FAILED of the last plan without an alternative.
 */
export async function orOtherwise<Plan extends { otherwise?(): Promise<Plan | null> }, Result>(
  plan: Plan,
  work: (plan: Plan) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(plan)
  } catch (error) {
    const other = simulationFailed.matches(error) ? await plan.otherwise?.() : null
    if (!other) throw error
    return orOtherwise(other, work)
  }
}
