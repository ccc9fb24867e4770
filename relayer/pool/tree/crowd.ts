/** The number of deposits of at least an amount, in the token's smallest unit. */
export interface CrowdStep {
  atLeast: bigint
  deposits: number
}

/**
 * Computes the crowd of a pool in steps of 1, 2 and 5. Steps allow clients to look an amount up without naming it.
 *
 * @param counts Deposits by value rounded down to a step, the smallest first.
 * @returns Every step from the smallest to the largest that has deposits.
 */
export function computeCrowd(counts: readonly { step: bigint; deposits: number }[]): CrowdStep[] {
  const [first, last] = [counts[0], counts.at(-1)]
  if (!first || !last) return []
  const byStep = new Map(counts.map(({ step, deposits }) => [step, deposits]))
  const crowd: CrowdStep[] = []
  let left = counts.reduce((total, { deposits }) => total + deposits, 0)
  for (let step = first.step; step <= last.step; step = nextStep(step)) {
    crowd.push({ atLeast: step, deposits: left })
    left -= byStep.get(step) ?? 0
  }
  return crowd
}

const nextStep = (step: bigint): bigint => (String(step).startsWith('2') ? (step * 5n) / 2n : step * 2n)
