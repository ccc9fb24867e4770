import type { ActivityItem, ActivityTransfer, TokenAmount } from './activity.ts'
import { valueInUsd } from '../market/prices/usd.ts'

/**
 * Chooses the transfer of an activity that a list shows: one that left the account if any did, else one that arrived.
 * Of several it is the most valuable, or without prices the one with the largest amount. Undefined without transfers.
 */
export function chooseMainTransfer<Transfer extends ActivityTransfer>({
  transfers,
  fundingAddresses,
}: Pick<ActivityItem, 'fundingAddresses'> & { transfers: readonly Transfer[] }): Transfer | undefined {
  const leaving = transfers.filter(
    ({ from, to }) => fundingAddresses.includes(from) && !fundingAddresses.includes(to),
  )
  const candidates = leaving.length > 0 ? leaving : transfers
  return candidates.toSorted(
    (one, other) =>
      compare(valueAmount(other) ?? -1n, valueAmount(one) ?? -1n) || compare(other.value, one.value),
  )[0]
}

const compare = (one: bigint, other: bigint) => (one > other ? 1 : one < other ? -1 : 0)

/** Returns the present worth of an amount, in units of 10^-30 dollars; null without metadata or a price of its token. */
export function valueAmount({ value, token, price }: TokenAmount): bigint | null {
  return token && price ? valueInUsd(value, token.decimals, price) : null
}
