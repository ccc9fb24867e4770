import type { z } from 'zod'
import type { AddressQuery } from '../../../relayer/account/addresses/addresses.ts'
import type { addressesQuery } from './model.ts'

/** Converts the query parameters into the selection of addresses. */
export function readAddressQuery(query: z.output<typeof addressesQuery>, defaultLimit: number): AddressQuery {
  const { address, activity, hasBalance, usedWithApps } = query
  const hasActivity = activity === undefined ? undefined : ACTIVITY[activity.toLowerCase()]
  return {
    filter: {
      ...(address !== undefined && { address }),
      ...(hasActivity !== undefined && { hasActivity }),
      ...(hasBalance !== undefined && { hasBalance }),
      ...(usedWithApps !== undefined && { usedWithApps }),
    },
    includeSummary: query.includeSummary ?? false,
    after: query.cursor ?? null,
    limit: query.limit ?? defaultLimit,
  }
}

/** The contract does not list the words that it accepts. */
const ACTIVITY: Readonly<Record<string, boolean | undefined>> = {
  used: true,
  active: true,
  true: true,
  unused: false,
  inactive: false,
  false: false,
}
