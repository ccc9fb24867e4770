import type { AddressPage, AddressQuery } from '../../../relayer/account/addresses/addresses.ts'
import type { AnswerOf } from '../../define/encode.ts'
import { addressCursor } from './address-cursor.ts'
import type { addressPage } from './model.ts'

/** A page of addresses, with the holdings of each if they were asked for. */
export function describeAddresses(
  page: AddressPage,
  { includeSummary }: AddressQuery,
): AnswerOf<typeof addressPage> {
  return {
    items: page.items.map(({ facts, usedApps, derivationNonce, ...item }) => {
      const { balances, totalUsdBalance, ...flags } = facts
      return {
        ...item,
        ...flags,
        nonce: derivationNonce,
        ...(includeSummary && { summary: { balances, totalUsdBalance, usedApps } }),
      }
    }),
    total: page.total,
    nextCursor: page.next === null ? null : addressCursor.encode(page.next),
    checkedChainIds: page.checkedChainIds,
  }
}
