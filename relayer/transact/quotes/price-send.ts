import type { Address } from 'viem'
import type { Token } from '../../market/tokens/tokens.ts'
import type { GasMeasures } from '../fees/measure-gas.ts'
import { networkFeeOf } from '../fees/network-fee.ts'
import type { TokenRate } from '../fees/read-fee-rate.ts'
import type { ServiceFeeTerms } from '../fees/service-fee.ts'
import { buildIntents, measureIntents, type MeasuredIntent } from './build-intents.ts'
import { chooseFunds, type ChosenFunds, type Holder } from './choose-funds.ts'
import type { QuoteParts } from './quote-parts.ts'
import type { SendingChain } from '../intents/sending-chain.ts'

export interface SendPlan {
  sending: SendingChain
  token: Token
  amount: bigint | 'max'
  recipient: Address
  holders: readonly Holder[]
  rate: TokenRate
  terms: ServiceFeeTerms
  expiresAt: Date
}

/** A payment, funded, measured and ready to be signed. */
export interface PricedSend extends Omit<SendPlan, 'amount'> {
  amount: bigint
  chosen: ChosenFunds
  intents: readonly MeasuredIntent[]
  networkFee: bigint
  serviceFee: bigint
  /** Wei that sending costs now, without the margin. */
  gasCost: bigint
}

/**
 * Chooses funds, builds the intents and runs them. Fees are reckoned by what sending the token takes to a recipient who
 * never had any, so that what max-spendable says holds for every recipient; one whose contract takes more than the margin
 * covers pays what was measured.
 */
export async function priceSend(
  parts: QuoteParts & { gas: GasMeasures },
  plan: SendPlan,
): Promise<PricedSend> {
  const { sending, token, recipient, rate } = plan
  const payment = {
    token: token.address,
    recipient,
    expiry: BigInt(Math.floor(plan.expiresAt.getTime() / 1_000) + parts.config.graceSeconds),
  }
  let intents: readonly MeasuredIntent[] = []
  const chosen = await chooseFunds(parts, plan, async (funds) => {
    intents = await measureIntents(parts, sending, buildIntents(sending, funds, payment), {
      ...payment,
      likelyGas: funds.spending.combinedGas,
    })
    return new Map(
      intents
        .filter(
          ({ paidGas, share }) => networkFeeOf(paidGas, { ...rate, marginPercent: 0 }) > share.input.cost,
        )
        .map(({ paidGas, intent }) => [intent.eoa, paidGas]),
    )
  })
  const gas = intents.reduce((sum, { paidGas }) => sum + paidGas, 0n)
  return {
    ...plan,
    amount: chosen.amount,
    chosen,
    intents,
    networkFee: chosen.inputs.reduce((sum, { cost }) => sum + cost, 0n),
    serviceFee: chosen.serviceFee,
    gasCost: gas * rate.gasPrice + BigInt(intents.length) * rate.dataFee,
  }
}
