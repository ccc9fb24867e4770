import { randomBytes } from 'node:crypto'
import { bytesToHex, getAddress, type Address } from 'viem'
import { insufficientBalance, insufficientFundsForFees, provenanceMix, quoteLockConflict } from '../errors.ts'
import type { GasMeasures } from '../fees/measure-gas.ts'
import { networkFeeOf } from '../fees/network-fee.ts'
import { effectiveBps, serviceFeeOf } from '../fees/service-fee.ts'
import { openSendingChain } from '../intents/sending-chain.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import type { QuotePlan } from '../kinds/quote-plan.ts'
import type { SwapPreview, SwapPreviewRequest } from '../transact.ts'
import { attributionOf } from './attribute-calls.ts'
import { listHolders } from './choose-funds.ts'
import { groupHolders } from './group-holders.ts'
import { prepareQuote, type Prepared } from './prepare-quote.ts'
import { priceQuote } from './price-quote.ts'
import type { QuoteParts } from './quote-parts.ts'

/** What these say is that the account's funds could not pay as they are. */
const SHORTAGES = [insufficientBalance, insufficientFundsForFees, provenanceMix, quoteLockConflict]

/** In percent: a preview shows any price impact, a quote asks whether the user has seen it. */
const ANY_IMPACT = 100

const KIND = 'swap'

/**
 * What a quote of a swap would say now. Nothing is reserved, and no address is issued: a random one stands for the
 * recipient. Where the account's funds could not pay, the venue's price alone is told, and nothing is run.
 *
 * @throws ServiceError as the swap's plan, prepareQuote and priceQuote do, but for shortages of funds.
 */
export async function previewSwap(
  parts: QuoteParts & { gas: GasMeasures },
  accountId: string,
  request: SwapPreviewRequest,
): Promise<SwapPreview> {
  const { chainId } = request
  const sending = await openSendingChain(parts, chainId)
  const plan = await kindOf(KIND).plan(
    { ...parts, accountId, sending },
    {
      ...request,
      kind: KIND,
      destination: undefined,
      standIn: getAddress(bytesToHex(randomBytes(20))),
      acknowledgedPriceImpact: ANY_IMPACT,
      acknowledgedMatch: undefined,
      acknowledgedContract: undefined,
      decimals: undefined,
      singleAddress: undefined,
      ttl: undefined,
    },
  )
  const [prepared, holders] = await Promise.all([
    prepareQuote(parts, accountId, sending, plan),
    listHolders(parts, accountId, chainId, plan),
  ])
  const expiresAt = new Date(Date.now() + parts.config.ttlSeconds * 1_000)
  try {
    const suffixOf = attributionOf(parts.config, KIND, sending.chain.config)
    const about = { chainId, token: prepared.token.address, plan }
    const groupsOf = groupHolders(parts.provenance, accountId, about, holders)
    const priced = await priceQuote(
      parts,
      { ...prepared, plan, holders, groupsOf, isMixAgreed: false, expiresAt },
      suffixOf,
    )
    await parts.screening.requireClear(
      chainId,
      priced.chosen.inputs.map(({ address }): Address => address),
    )
    const feeEstimate = priced.networkFee + priced.serviceFee
    return describe(priced, { amount: priced.amount, feeEstimate, rateOnly: false })
  } catch (error) {
    if (!SHORTAGES.some((shortage) => shortage.matches(error))) throw error
    const amount = request.amountIn
    const gas = await parts.gas.find(sending, plan)
    const feeEstimate = gas && networkFeeOf(gas.first, prepared.rate) + serviceFeeOf(amount, prepared.terms)
    return describe({ ...prepared, plan }, { amount, feeEstimate, rateOnly: true })
  }
}

function describe(
  { plan, token, terms }: Prepared & { plan: QuotePlan },
  { amount, feeEstimate, rateOnly }: { amount: bigint; feeEstimate: bigint | null; rateOnly: boolean },
): SwapPreview {
  const { expected, minimum, token: output } = plan.outputOf(amount, token, [amount])
  return {
    expectedOutput: expected,
    minimumOutput: minimum,
    outputToken: output,
    members: plan.members,
    feeEstimate,
    protocolFeeBps: effectiveBps(terms),
    protocolFeeAmount: serviceFeeOf(amount, terms),
    rateOnly,
  }
}
