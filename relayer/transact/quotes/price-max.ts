import type { Address } from 'viem'
import { insufficientBalance, insufficientFundsForFees, quoteLockConflict } from '../errors.ts'
import { effectiveBps } from '../fees/service-fee.ts'
import { openSendingChain } from '../intents/sending-chain.ts'
import { kindOf, type MaxRequest } from '../kinds/quote-kinds.ts'
import type { MaxSpendable } from '../transact.ts'
import { chooseFunds, listHolders, type ChosenFunds, type QuoteMemories } from './choose-funds.ts'
import { describeFees, nameShare } from './describe-fees.ts'
import { worthOf } from './explain-shortage.ts'
import type { MaxPlan } from '../kinds/quote-plan.ts'
import { groupHolders } from './group-holders.ts'
import { orOtherwise } from './or-otherwise.ts'
import { prepareQuote } from './prepare-quote.ts'
import type { QuoteParts } from './quote-parts.ts'

/** Errors that mean that nothing can be sent. */
const NOTHING = [insufficientBalance, insufficientFundsForFees, quoteLockConflict]

/**
 * Returns the most that can be spent without fees, for any recipient; nothing is reserved. It uses the books: nodes are
 * queried about at most one address, which measures the gas.
 *
 * @throws ServiceError as the kind's plan, prepareQuote and chooseFunds do.
 */
export async function priceMax(
  parts: QuoteParts & QuoteMemories,
  accountId: string,
  request: MaxRequest,
): Promise<MaxSpendable> {
  const { chainId } = request
  const sending = await openSendingChain(parts, chainId)
  const plan = await kindOf(request.kind).planMax({ ...parts, accountId, sending }, request)
  const prepared = await prepareQuote(parts, accountId, sending, plan)
  const { token, rate, terms } = prepared
  const holders = await listHolders(parts, accountId, chainId, plan)
  const about = { chainId, token: token.address, plan }
  const groupsOf = groupHolders(parts.provenance, accountId, about, holders)
  const chosen = await orOtherwise<MaxPlan, ChosenFunds>(plan, (tried) =>
    chooseFunds(parts, { ...prepared, plan: tried, amount: 'max', holders, groupsOf }),
  ).catch(toNothing)
  const amount = chosen?.amount ?? 0n
  const maxAmount = worthOf(amount, plan)
  const inputs = maxAmount > 0n && chosen ? chosen.inputs : []
  parts.screening.refuseKnown(
    chainId,
    inputs.map((input): Address => input.address),
  )
  const fees = describeFees(token, rate.tokenUsd, {
    network: inputs.reduce((sum, { cost }) => sum + cost, 0n),
    ...nameShare(plan, maxAmount > 0n && chosen ? chosen.serviceFee : 0n),
    vetting: maxAmount > 0n ? amount - maxAmount : 0n,
    dust: chosen?.dust ?? 0n,
    waived: terms.waived,
  })
  return {
    maxAmount,
    grossAmount: inputs.reduce((sum, { free }) => sum + free, 0n),
    fees,
    feeEstimateUsd: fees.totalUsd,
    spendableCount: inputs.length,
    protocolFeeBps: plan.price === 'service' ? effectiveBps(terms) : 0,
  }
}

function toNothing(error: unknown): ChosenFunds | null {
  if (NOTHING.some((shortage) => shortage.matches(error))) return null
  throw error
}
