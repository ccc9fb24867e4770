import { zeroAddress } from 'viem'
import type { CommonQueryMethods } from 'slonik'
import { countPaidQuotes, type NewIntent, type SubmittableQuote } from '../../../db/transact/intents-submit.ts'
import type { GasAtRisk, GasShare } from '../../../db/unpaid-gas/gas-budget.ts'
import type { GasBudget } from '../../unpaid-gas/gas-budget.ts'
import { batchGasLimit } from '../intents/batch-gas.ts'

export interface Payment {
  accountId: string
  quote: SubmittableQuote
  intents: readonly NewIntent[]
  /** Whether the recipient runs code when it is paid. */
  toContract: boolean
}

/**
 * What a payment may cost us if its recipient makes it fail: the gas limit of the transaction that it then has for itself.
 * Null where nothing is counted: the recipient has no code, and none without was seen to get some in between.
 * @param provenAfter Confirmed payments of an account.
 */
export async function riskOfQuote(
  connection: CommonQueryMethods,
  gasBudget: Pick<GasBudget, 'countsPlain'>,
  { accountId, quote, intents, toContract }: Payment,
  provenAfter: number,
): Promise<GasAtRisk | null> {
  const { id: reference, chainId, token } = quote
  const isWatched = gasBudget.countsPlain(chainId)
  if (!toContract && !isWatched) return null
  const isProven = (await countPaidQuotes(connection, accountId, provenAfter)) >= provenAfter
  const counts = toContract || token === zeroAddress || !isProven
  if (!counts) return null
  const share: GasShare = toContract ? (isProven ? 'proven' : 'new') : 'plain'
  return { reference, chainId, share, gas: batchGasLimit(intents), paidGas: null }
}
