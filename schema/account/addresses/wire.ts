import type { z } from 'zod'
import type {
  AddressPage,
  AddressQuery,
  DappAddress,
  IssuedAddress,
} from '../../../relayer/account/addresses/addresses.ts'
import type * as model from './model.ts'
import { badRequest } from '../../../relayer/errors.ts'

export function issuedToWire(issued: IssuedAddress): z.input<typeof model.issuedAddress> {
  return {
    address: issued.address,
    nonce: issued.derivationNonce.toString(),
    reused: issued.reused,
    limitResetsAt: issued.limitResetsAt?.toISOString() ?? null,
  }
}

export function toAddressQuery(
  query: z.output<typeof model.addressesQuery>,
  defaultLimit: number,
): AddressQuery {
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
    after: query.cursor === undefined ? null : readCursor(query.cursor),
    limit: query.limit ?? defaultLimit,
  }
}

/** The contract does not say which words there are. */
const ACTIVITY: Readonly<Record<string, boolean | undefined>> = {
  used: true,
  active: true,
  true: true,
  unused: false,
  inactive: false,
  false: false,
}

export function pageToWire(page: AddressPage, query: AddressQuery): z.input<typeof model.addressPage> {
  return {
    items: page.items.map(({ facts, usedApps, derivationNonce, createdAt, ...item }) => ({
      generationContext: item.generationContext,
      address: item.address,
      nonce: derivationNonce,
      createdAt: createdAt.toISOString(),
      hasActivity: facts.hasActivity,
      activityCount: facts.activityCount,
      hasPendingActivity: facts.hasPendingActivity,
      hasBalance: facts.hasBalance,
      ...(query.includeSummary && {
        summary: {
          balances: facts.balances.map((balance) => ({ ...balance, amount: balance.amount.toString() })),
          totalUsdBalance: facts.totalUsdBalance,
          usedApps: [...usedApps],
        },
      }),
    })),
    total: page.total,
    nextCursor: page.next === null ? null : writeCursor(page.next),
    checkedChainIds: [...page.checkedChainIds],
  }
}

/** Opaque, so that what it is made of may change. */
const writeCursor = (derivationNonce: number) => Buffer.from(`after ${derivationNonce}`).toString('base64url')

function readCursor(text: string): number {
  const [, digits] = /^after (\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
  if (digits === undefined) throw badRequest('query.cursor: expected the nextCursor of another page')
  return Number(digits)
}

export function dappAddressesToWire(page: {
  items: readonly DappAddress[]
  hasMore: boolean
}): z.input<typeof model.dappAddressPage> {
  return {
    items: page.items.map((item) => ({ ...item, lastUsedAt: item.lastUsedAt.toISOString() })),
    hasMore: page.hasMore,
  }
}
