import type { Address } from 'viem'
import { listFundingCandidates } from '../../../db/transact/funding-candidates.ts'
import type { KindContext } from './quote-kind.ts'

/** Returns the largest unlocked amount of a token at one address, which a quote of all would spend; at least 1. */
export async function findLargestFree(
  { database, accountId, sending }: KindContext,
  token: Address,
  spendable: readonly Address[] | undefined,
): Promise<bigint> {
  const holders = await listFundingCandidates(database, accountId, { chainId: sending.chainId, token })
  return holders
    .filter(({ address }) => spendable?.includes(address) ?? true)
    .reduce((most, { amount, locked }) => (amount - locked > most ? amount - locked : most), 1n)
}
