import type { MaxSpendable } from '../../relayer/transact/transact.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { maxSpendable } from './model.ts'

/** Sums up the cost of sending the maximum. A payment has no fees of a pool deposit. */
export function describeMaxSpendable(max: MaxSpendable): AnswerOf<typeof maxSpendable> {
  const { network, service } = max.fees
  const total = network + service
  return {
    maxAmount: max.maxAmount,
    feeEstimate: total,
    feeEstimateUsdAmount: max.feeEstimateUsd,
    spendableCount: max.spendableCount,
    grossAmount: max.grossAmount,
    fees: { network, vetting: 0n, deposit: 0n, service, total },
    protocolFeeBps: max.protocolFeeBps,
    protocolFeeAmount: service,
  }
}
