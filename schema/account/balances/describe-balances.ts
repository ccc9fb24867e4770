import type {
  AddressTokenBalance,
  BalanceSheet,
  ExplainedAddresses,
  FundedAddress,
  ReceivedTokenBalance,
  ReceivingAddress,
} from '../../../relayer/account/balances/balances.ts'
import { usdToNumber } from '../../../relayer/market/prices/usd.ts'
import type { ExplainedHoldings, Origin } from '../../../relayer/account/provenance/provenance.ts'
import type { KnownApp } from '../../../relayer/account/apps/app-registry.ts'
import type { AnswerOf } from '../../define/encode.ts'
import { describeBalance, describePrice, describeValue } from '../../market/describe-balance.ts'
import { describeOrigin } from '../provenance/describe-origin.ts'
import { describeGroups } from '../provenance/describe-source.ts'
import { describeReceives } from '../receive-summary.ts'
import type * as model from './model.ts'

/** All balances of an account, with their sum in dollars. */
export function describeSheet({
  balances,
  pricing,
  feeWaiver,
}: BalanceSheet): AnswerOf<typeof model.balanceSheet> {
  return {
    balances: balances.map(describeBalance),
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

/** Addresses with what each holds of each token. */
export function describeFunded(addresses: readonly FundedAddress[]): AnswerOf<typeof model.fundedAddresses> {
  return {
    addresses: addresses.map(({ address, derivationNonce, usedApps, balances }) => ({
      address,
      nonce: derivationNonce,
      usedOrigins: usedApps.map(({ origin }) => origin),
      balances: balances.map(describeHeld),
    })),
  }
}

/** A page of addresses with their holdings, how these arrived, and the apps that the address was shown to. */
export function describeAddressBalances(
  { addresses, total, explained }: ExplainedAddresses,
  dapp: KnownApp | null,
): AnswerOf<typeof model.addressBalances> {
  const dappOrigin = dapp?.origin
  return {
    provenanceLabelGroups: describeGroups(explained.groups, dappOrigin),
    dapp,
    addresses: addresses.map((one) => describeEntry(one, explained, dappOrigin)),
    total,
  }
}

type AddressEntry = AnswerOf<typeof model.addressEntry>

/** Of addresses that were told of before: where what they hold came from, then, and what was said of them. */
const told = new WeakMap<ReceivingAddress, { origins: readonly Origin[]; entry: AddressEntry }>()

/** What an answer says of an address; the same object as before while nothing changed. */
function describeEntry(
  one: ReceivingAddress,
  explained: ExplainedHoldings,
  dappOrigin: string | undefined,
): AddressEntry {
  const { address } = one
  const origins = one.balances.map(({ token }) =>
    explained.of({ chainId: token.chainId, address, token: token.address }),
  )
  const before = told.get(one)
  if (dappOrigin === undefined && before?.origins.every((origin, place) => origin === origins[place]))
    return before.entry
  const addressSummary = describeReceives(one.summary, explained.receivesOf(address))
  const entry: AddressEntry = {
    address,
    nonce: one.derivationNonce,
    lastPrivatelyFundedAt: one.lastPrivatelyFundedAt,
    usedOrigins: one.usedApps.map(({ origin }) => origin),
    usedApps: [...one.usedApps],
    recentlyUsedByDapp: one.usedApps.some(({ origin }) => origin === dappOrigin),
    totalUsdBalance: one.totalUsd === null ? null : usdToNumber(one.totalUsd),
    balances: one.balances.flatMap((balance, place) => {
      const origin = origins[place]
      return origin ? [describeReceived(balance, origin)] : []
    }),
  }
  if (dappOrigin === undefined) told.set(one, { origins, entry })
  return entry

  function describeReceived(balance: ReceivedTokenBalance, origin: Origin): AddressEntry['balances'][number] {
    const { visibility } = balance.token
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
