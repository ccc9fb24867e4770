import { groupCandidates, netOf, sumNet, type Candidate, type SelectionRules } from './candidate.ts'

/** Most that can be spent at once. */
export interface MostFundable {
  /** After network fees, before the service fee. */
  net: bigint
  /** Sum of the addresses' balances. */
  gross: bigint
  inputs: readonly Candidate[]
}

/** Returns the set that contributes most, of all sets that may be spent together. */
export function findMostFundable(candidates: readonly Candidate[], rules: SelectionRules): MostFundable {
  let most: MostFundable = { net: 0n, gross: 0n, inputs: [] }
  for (const set of groupCandidates(candidates, rules)) {
    const useful = set.filter((candidate) => netOf(candidate) >= (rules.leastEach ?? 0n))
    const inputs = (useful.length > 0 ? useful : set.slice(0, 1)).slice(0, rules.maxInputs)
    const net = sumNet(inputs)
    if (net > most.net) most = { net, gross: inputs.reduce((sum, { free }) => sum + free, 0n), inputs }
  }
  return most
}
