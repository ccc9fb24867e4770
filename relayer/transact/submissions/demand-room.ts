import { type SubmittableQuote, countPaidQuotes } from '../../../db/transact/intents-submit.ts'
import { simulationFailed } from '../../chain/errors.ts'
import type { SubmissionParts } from './submission-parts.ts'
import type { CommonQueryMethods } from 'slonik'
import type { GasShare } from '../../../db/chain/unpaid-gas/gas-budget.ts'

/**
 * Refuses a quote if the losses of the hour leave no room for its transaction, or if it never fits.
 * @param asked `network`: keyed name of the client's network. `contracts`: strangers' contracts. `gas`: gas of the
 * largest transaction.
 * @throws ServiceError GAS_BUDGET_USED_UP; SIMULATION_FAILED if it never fits, because waiting would not help.
 */
export async function demandRoom(
  { database, gasBudget, config }: Pick<SubmissionParts, 'database' | 'gasBudget' | 'config'>,
  { chainId }: Pick<SubmittableQuote, 'chainId'>,
  asked: { accountId: string; network: string | null; contracts: readonly string[]; gas: bigint },
): Promise<void> {
  const { accountId, contracts, gas } = asked
  const runsStrangers = contracts.length > 0
  const least = gasBudget.mostOf(chainId, runsStrangers ? 'new' : 'plain_new')
  if (gas <= least && !gasBudget.hasLost(chainId)) return
  const share = await shareOfQuote(database, { accountId, runsStrangers }, config.provenAfter)
  const most = gasBudget.mostOf(chainId, share)
  if (gas > most)
    throw simulationFailed(
      `This puts ${gas} gas at risk, and this account may put at most ${most}: send it in parts, from fewer addresses each`,
    )
  await gasBudget.demandRoom({ chainId, share, ...asked })
}

/**
 * Returns the share of the chain's unpaid gas that a payment belongs to.
 * @param runsStrangers True if it runs code that the operator does not know.
 * @param provenAfter Confirmed payments that make an account a proven one.
 */
async function shareOfQuote(
  connection: CommonQueryMethods,
  { accountId, runsStrangers }: { accountId: string; runsStrangers: boolean },
  provenAfter: number,
): Promise<GasShare> {
  const isProven = (await countPaidQuotes(connection, accountId, provenAfter)) >= provenAfter
  if (runsStrangers) return isProven ? 'proven' : 'new'
  return isProven ? 'plain_proven' : 'plain_new'
}
