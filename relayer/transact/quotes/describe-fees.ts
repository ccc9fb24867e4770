import { usdToNumber, valueInUsd } from '../../market/prices/usd.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { SpendingPlan } from '../kinds/quote-plan.ts'
import type { QuoteFees } from '../transact.ts'

/** Adds the dollar values to fees. */
export function describeFees(
  { decimals }: Token,
  tokenUsd: bigint | null,
  fees: Omit<QuoteFees, 'networkUsd' | 'totalUsd'>,
): QuoteFees {
  const worth = (amount: bigint) =>
    tokenUsd === null ? null : usdToNumber(valueInUsd(amount, decimals, { usd: tokenUsd }))
  return { ...fees, networkUsd: worth(fees.network), totalUsd: worth(totalOf(fees)) }
}

/** Returns the sum of all fees, without the dust. */
export function totalOf({
  network,
  service,
  deposit,
  vetting,
}: Omit<QuoteFees, 'networkUsd' | 'totalUsd'>): bigint {
  return network + service + deposit + vetting
}

/** Assigns the service's share to its name: each quote has one of the two. */
export const nameShare = ({ price }: Pick<SpendingPlan, 'price'>, share: bigint) =>
  price === 'deposit' ? { service: 0n, deposit: share } : { service: share, deposit: 0n }
