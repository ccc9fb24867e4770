import { simulationFailed } from '../../chain/errors.ts'

/**
 * Works with a plan, and where its calls fail with the one that it names for that.
 * @throws ServiceError what the work throws; SIMULATION_FAILED of the first plan where there is no other.
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
