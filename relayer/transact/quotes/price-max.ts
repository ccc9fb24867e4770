import type { Address } from 'viem'
import { insufficientBalance, insufficientFundsForFees, quoteLockConflict } from '../errors.ts'
import type { GasMeasures } from '../fees/measure-gas.ts'
import { effectiveBps } from '../fees/service-fee.ts'
import { openSendingChain } from '../intents/sending-chain.ts'
import { kindOf, type MaxRequest } from '../kinds/quote-kinds.ts'
import type { MaxSpendable } from '../transact.ts'
import { chooseFunds, listHolders, type ChosenFunds } from './choose-funds.ts'
import { describeFees } from './describe-fees.ts'
import type { MaxPlan } from '../kinds/quote-plan.ts'
import { orOtherwise } from './or-otherwise.ts'
import { prepareQuote } from './prepare-quote.ts'
import type { QuoteParts } from './quote-parts.ts'

/** What these say is that nothing can be sent. */
const NOTHING = [insufficientBalance, insufficientFundsForFees, quoteLockConflict]

/**
 * The most that can be spent without fees, for any recipient; nothing is reserved.
 *
 * @throws ServiceError as the kind's plan, prepareQuote and chooseFunds do.
 */
export async function priceMax(
  parts: QuoteParts & { gas: GasMeasures },
  accountId: string,
  request: MaxRequest,
): Promise<MaxSpendable> {
  const { chainId } = request
  const sending = await openSendingChain(parts, chainId)
  const plan = await kindOf(request.kind).planMax({ ...parts, accountId, sending }, request)
  const prepared = await prepareQuote(parts, accountId, sending, plan)
  const { token, rate, terms } = prepared
  const holders = await listHolders(parts, accountId, chainId, plan)
  const chosen = await orOtherwise<MaxPlan, ChosenFunds>(plan, (tried) =>
    chooseFunds(parts, { ...prepared, plan: tried, amount: 'max', holders }),
  ).catch(toNothing)
  const inputs = chosen?.inputs ?? []
  await parts.screening.requireClear(
    chainId,
    inputs.map((input): Address => input.address),
  )
  const fees = describeFees(token, rate.tokenUsd, {
    network: inputs.reduce((sum, { cost }) => sum + cost, 0n),
    service: chosen?.serviceFee ?? 0n,
    dust: chosen?.dust ?? 0n,
    waived: terms.waived,
  })
  return {
    maxAmount: chosen?.amount ?? 0n,
    grossAmount: inputs.reduce((sum, { free }) => sum + free, 0n),
    fees,
    feeEstimateUsd: fees.totalUsd,
    spendableCount: inputs.length,
    protocolFeeBps: effectiveBps(terms),
  }
}

function toNothing(error: unknown): ChosenFunds | null {
  if (NOTHING.some((shortage) => shortage.matches(error))) return null
  throw error
}
