import { insufficientBalance, insufficientFundsForFees, provenanceMix, quoteLockConflict } from '../errors.ts'
import { networkFeeOf } from '../fees/network-fee.ts'
import { effectiveBps, serviceFeeOf } from '../fees/service-fee.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import type { QuotePlan } from '../kinds/quote-plan.ts'
import type { PlanPreview } from '../transact.ts'
import { attributionOf } from './attribute-calls.ts'
import { listHolders, type QuoteMemories } from './choose-funds.ts'
import { groupHolders } from './group-holders.ts'
import { prepareQuote } from './prepare-quote.ts'
import { priceQuote } from './price-quote.ts'
import type { QuoteParts } from './quote-parts.ts'

/** Errors that mean that the account's present funds could not pay. */
const SHORTAGES = [insufficientBalance, insufficientFundsForFees, provenanceMix, quoteLockConflict]

/**
 * Prices and runs a plan as a quote would, and stops before anything is reserved or stored.
 * @param of `amount`: the amount that the plan spends.
 * @throws ServiceError as prepareQuote and priceQuote do, except shortages of funds.
 */
export async function previewPlan(
  parts: QuoteParts & QuoteMemories,
  accountId: string,
  { sending, kind, plan, amount }: { sending: SendingChain; kind: string; plan: QuotePlan; amount: bigint },
): Promise<PlanPreview> {
  const { chainId } = sending
  const [prepared, holders] = await Promise.all([
    prepareQuote(parts, accountId, sending, plan),
    listHolders(parts, accountId, chainId, plan),
  ])
  const { token, terms } = prepared
  const fees = { protocolFeeBps: effectiveBps(terms), protocolFeeAmount: serviceFeeOf(amount, terms) }
  const expiresAt = new Date(Date.now() + parts.config.ttlSeconds * 1_000)
  try {
    const suffixOf = attributionOf(parts.config, kind, sending.chain.config)
    const about = { chainId, token: token.address, plan }
    const groupsOf = groupHolders(parts.provenance, accountId, about, holders)
    const priced = await priceQuote(
      parts,
      { ...prepared, plan, holders, groupsOf, isMixAgreed: false, nonces: new Map(), expiresAt },
      suffixOf,
    )
    return {
      plan: priced.plan,
      output: priced.plan.outputOf(amount, token, [amount]),
      feeEstimate: priced.networkFee + priced.serviceFee,
      ...fees,
      rateOnly: false,
    }
  } catch (error) {
    if (!SHORTAGES.some((shortage) => shortage.matches(error))) throw error
    const gas = await parts.gas.find(sending, plan)
    return {
      plan,
      output: plan.outputOf(amount, token, [amount]),
      feeEstimate: gas && networkFeeOf(gas.first, prepared.rate) + fees.protocolFeeAmount,
      ...fees,
      rateOnly: true,
    }
  }
}
