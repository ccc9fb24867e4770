import { usdToNumber, valueInUsd } from '../../market/prices/usd.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { QuoteFees } from '../transact.ts'

/** Fees with what they are worth. */
export function describeFees(
  { decimals }: Token,
  tokenUsd: bigint | null,
  fees: { network: bigint; service: bigint; dust: bigint; waived: boolean },
): QuoteFees {
  const worth = (amount: bigint) =>
    tokenUsd === null ? null : usdToNumber(valueInUsd(amount, decimals, { usd: tokenUsd }))
  return { ...fees, networkUsd: worth(fees.network), totalUsd: worth(fees.network + fees.service) }
}
