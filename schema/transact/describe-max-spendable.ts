import type { MaxSpendable } from '../../relayer/transact/transact.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { maxSpendable } from './model.ts'

/** Summarises the cost of sending the maximum. */
export function describeMaxSpendable(max: MaxSpendable): AnswerOf<typeof maxSpendable> {
  const { network, service, deposit, vetting } = max.fees
  const total = network + service + deposit + vetting
  return {
    maxAmount: max.maxAmount,
    feeEstimate: total,
    feeEstimateUsdAmount: max.feeEstimateUsd,
    spendableCount: max.spendableCount,
    grossAmount: max.grossAmount,
    fees: { network, vetting, deposit, service, total },
    protocolFeeBps: max.protocolFeeBps,
    protocolFeeAmount: service,
  }
}
