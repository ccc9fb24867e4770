import type {
  AddressTokenBalance,
  BalanceSheet,
  ExplainedAddresses,
  FundedAddress,
  ReceivedTokenBalance,
  ReceivingAddress,
} from '../../../relayer/account/balances/balances.ts'
import { usdToNumber } from '../../../relayer/market/prices/usd.ts'
import type { ExplainedHoldings } from '../../../relayer/account/provenance/provenance.ts'
import type { KnownApp } from '../../../relayer/account/apps/app-registry.ts'
import type { AnswerOf } from '../../define/encode.ts'
import { describeBalance, describePrice, describeValue } from '../../market/describe-balance.ts'
import { describeToken } from '../../market/tokens/describe-token.ts'
import type { TokenBalance } from '../../../relayer/market/watchlist/watched-tokens.ts'
import { describeOrigin } from '../provenance/describe-origin.ts'
import { describeGroups } from '../provenance/describe-source.ts'
import { describeReceives } from '../receive-summary.ts'
import type * as model from './model.ts'

/** An account's balance of one token, and the token itself, which REST leaves out. */
export const describeHolding = (balance: TokenBalance) => ({
  ...describeBalance(balance),
  of: describeToken(balance),
})

/** All balances of an account, with their sum in dollars. */
export function describeSheet({
  balances,
  pricing,
  feeWaiver,
}: BalanceSheet): AnswerOf<typeof model.heldSheet> {
  return {
    balances: balances.map(describeHolding),
    totalUsdAmount: pricing.totalUsd === null ? null : usdToNumber(pricing.totalUsd),
    pricing: {
      nonZeroAssetCount: pricing.nonZeroAssetCount,
      pricedAssetCount: pricing.pricedAssetCount,
      unpricedAssetCount: pricing.unpricedAssetCount,
      oldestPriceObservedAt: pricing.oldestObservedAt,
      newestPriceObservedAt: pricing.newestObservedAt,
    },
    feeWaiver,
  }
}

function describeHeld({ token, chainName, available, pending, price }: AddressTokenBalance) {
  return {
    chainId: token.chainId,
    chainName,
    token: token.address,
    tokenSymbol: token.symbol,
    decimals: token.decimals,
    logoUrl: token.logoUri,
    amount: available + pending,
    available,
    pending,
    usdAmount: describeValue(available + pending, token.decimals, price),
    ...describePrice(price),
  }
}

type FundedAnswer = AnswerOf<typeof model.fundedAddresses>

/** Answers by list; an unchanged list reuses its answer. */
const funded = new WeakMap<readonly FundedAddress[], FundedAnswer>()

/** Addresses with their holdings by token; the same object while nothing changed. */
export function describeFunded(addresses: readonly FundedAddress[]): FundedAnswer {
  const known = funded.get(addresses) ?? describeFundedList(addresses)
  funded.set(addresses, known)
  return known
}

function describeFundedList(addresses: readonly FundedAddress[]): FundedAnswer {
  return {
    addresses: addresses.map(({ address, derivationNonce, usedApps, balances }) => ({
      address,
      nonce: derivationNonce,
      usedOrigins: usedApps.map(({ origin }) => origin),
      balances: balances.map(describeHeld),
    })),
  }
}

type AddressPage = AnswerOf<typeof model.addressBalances>
type AddressEntry = AnswerOf<typeof model.addressEntry>

/** Earlier pages by their addresses, with the other inputs of each page. */
const told = new WeakMap<readonly ReceivingAddress[], ExplainedAddresses & { page: AddressPage }>()

/**
 * A page of addresses with their holdings, how these arrived, and the apps that know the address. Without an app it is
 * the same object while nothing changed.
 */
export function describeAddressBalances(page: ExplainedAddresses, dapp: KnownApp | null): AddressPage {
  if (dapp) return describePage(page, dapp)
  const before = told.get(page.addresses)
  if (before?.explained === page.explained && before.total === page.total) return before.page
  const described = describePage(page, null)
  told.set(page.addresses, { ...page, page: described })
  return described
}

function describePage(
  { addresses, total, explained }: ExplainedAddresses,
  dapp: KnownApp | null,
): AddressPage {
  const dappOrigin = dapp?.origin
  return {
    provenanceLabelGroups: describeGroups(explained.groups, dappOrigin),
    dapp,
    addresses: addresses.map((one) => describeEntry(one, explained, dappOrigin)),
    total,
  }
}

function describeEntry(
  one: ReceivingAddress,
  explained: ExplainedHoldings,
  dappOrigin: string | undefined,
): AddressEntry {
  const { address } = one
  const addressSummary = describeReceives(one.summary, explained.receivesOf(address))
  return {
    address,
    nonce: one.derivationNonce,
    lastPrivatelyFundedAt: one.lastPrivatelyFundedAt,
    usedOrigins: one.usedApps.map(({ origin }) => origin),
    usedApps: [...one.usedApps],
    recentlyUsedByDapp: one.usedApps.some(({ origin }) => origin === dappOrigin),
    totalUsdBalance: one.totalUsd === null ? null : usdToNumber(one.totalUsd),
    balances: one.balances.map(describeReceived),
  }

  function describeReceived(balance: ReceivedTokenBalance): AddressEntry['balances'][number] {
    const { visibility, chainId, address: token } = balance.token
    const origin = explained.of({ chainId, address, token })
    return {
      ...describeHeld(balance),
      listed: visibility === 'verified' || visibility === 'listed',
      idCount: balance.receiveCount,
      addressSummary,
      provenance: describeOrigin(origin, dappOrigin),
      lastReceivedAt: balance.lastReceivedAt,
    }
  }
}
