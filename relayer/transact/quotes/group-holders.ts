import type { Address } from 'viem'
import type { Provenance } from '../../account/provenance/provenance.ts'
import { holdingsOf, type SpendingPlan } from '../kinds/quote-plan.ts'
import type { Holder } from './choose-funds.ts'

/** Most addresses whose origins are read, those with the largest funds; the others are joined with none. */
const MOST_GROUPED = 500

/** Reads which addresses may pay together: those of equal groups. Reads once, on the first call. */
export type GroupHolders = () => Promise<ReadonlyMap<Address, string>>

/** Groups the holders of a plan by the origin of their money; undefined if they pay apart. */
export function groupHolders(
  provenance: Pick<Provenance, 'explainHoldings'>,
  accountId: string,
  {
    token,
    chainId,
    plan,
  }: { token: Address; chainId: number; plan: Pick<SpendingPlan, 'funding' | 'transport'> },
  holders: readonly Holder[],
): GroupHolders | undefined {
  if (!holdingsOf(plan).mayJoin || plan.transport === 'own') return undefined
  let groups: Promise<ReadonlyMap<Address, string>> | undefined
  const read = async () => {
    const richest = holders
      .toSorted((one, other) => (one.free > other.free ? -1 : 1))
      .slice(0, MOST_GROUPED)
      .map(({ address }) => ({ chainId, address, token }))
    const told = await provenance.explainHoldings(accountId, richest)
    const known = new Map(richest.map((holding) => [holding.address, told.of(holding).mixGroup]))
    return new Map(holders.map(({ address }) => [address, known.get(address) ?? `unknown:${address}`]))
  }
  return () => (groups ??= read())
}
