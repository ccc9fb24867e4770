import type { Address } from 'viem'
import {
  type Candidate,
  type SelectionRules,
  selectFunds,
  type Selection,
  findMostFundable,
  type MostFundable,
} from './select-funds.ts'

/** Addresses of several groups that the user accepts to join, all of them; none unless the user named them. */
export type AcceptedMix = readonly Address[] | undefined

/**
 * Selects like {@link selectFunds}, from one group of candidates. If no group suffices, it joins several, provided that
 * the user named exactly the addresses that then pay.
 */
export function selectOfGroup(
  candidates: readonly Candidate[],
  need: bigint,
  rules: SelectionRules,
  accepted: AcceptedMix,
): Selection | null {
  const selection = selectFunds(candidates, need, { ...rules, mixGroups: false })
  if (selection) return selection
  const { among, isAll } = acceptedOf(candidates, accepted)
  const mixed = selectFunds(among, need, { ...rules, mixGroups: true })
  return mixed && isAll(mixed.inputs) ? mixed : null
}

/**
 * Finds the most like {@link findMostFundable}, of one group, or of the addresses that the user accepts to join if that
 * is more.
 */
export function findMostOfGroup(
  candidates: readonly Candidate[],
  rules: SelectionRules,
  accepted: AcceptedMix,
): MostFundable {
  const most = findMostFundable(candidates, { ...rules, mixGroups: false })
  const { among, isAll } = acceptedOf(candidates, accepted)
  const mixed = findMostFundable(among, { ...rules, mixGroups: true })
  return mixed.net > most.net && isAll(mixed.inputs) ? mixed : most
}

function acceptedOf(candidates: readonly Candidate[], accepted: AcceptedMix = []) {
  const wanted = new Set<string>(accepted)
  return {
    among: candidates.filter(({ address }) => wanted.has(address)),
    isAll: (inputs: readonly Candidate[]) => inputs.length === wanted.size,
  }
}
