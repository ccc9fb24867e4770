import type { z } from 'zod'
import type {
  AddressTokenBalance,
  BalanceSheet,
  FundedAddress,
} from '../../../relayer/account/balances/balances.ts'
import { usdToNumber } from '../../../relayer/market/prices/usd.ts'
import { unavailableProvenance } from '../provenance.ts'
import { balanceToWire, priceToWire, usdAmountOf } from '../../market/balance-entry.ts'
import type * as model from './model.ts'

type Wire<Shape extends z.ZodType> = z.input<Shape>

export function sheetToWire({ balances, pricing, feeWaiver }: BalanceSheet): Wire<typeof model.balanceSheet> {
  return {
    balances: balances.map(balanceToWire),
    totalUsdAmount: pricing.totalUsd === null ? null : usdToNumber(pricing.totalUsd),
    pricing: {
      nonZeroAssetCount: pricing.nonZeroAssetCount,
      pricedAssetCount: pricing.pricedAssetCount,
      unpricedAssetCount: pricing.unpricedAssetCount,
      oldestPriceObservedAt: pricing.oldestObservedAt?.toISOString() ?? null,
      newestPriceObservedAt: pricing.newestObservedAt?.toISOString() ?? null,
    },
    feeWaiver: { ...feeWaiver, activeUntil: feeWaiver.activeUntil?.toISOString() ?? null },
  }
}

function heldToWire({ token, chainName, available, pending, price }: AddressTokenBalance) {
  const { pricePerToken, priceStale } = priceToWire(price)
  return {
    chainId: token.chainId,
    chainName,
    token: token.address,
    tokenSymbol: token.symbol,
    decimals: token.decimals,
    logoUrl: token.logoUri,
    amount: String(available + pending),
    available: String(available),
    pending: String(pending),
    usdAmount: usdAmountOf(available + pending, token.decimals, price),
    pricePerToken,
    priceStale,
  }
}

export function fundedToWire(addresses: readonly FundedAddress[]): Wire<typeof model.fundedAddresses> {
  return {
    addresses: addresses.map(({ address, derivationNonce, usedOrigins, balances }) => ({
      address,
      nonce: derivationNonce,
      usedOrigins: [...usedOrigins],
      balances: balances.map(heldToWire),
    })),
  }
}

export function addressBalancesToWire(
  { addresses, total }: { addresses: readonly FundedAddress[]; total: number },
  dappOrigin: string | undefined,
): Wire<typeof model.addressBalances> {
  return {
    provenanceLabelGroups: null,
    dapp:
      dappOrigin === undefined
        ? null
        : { ...describeApp(dappOrigin), recognitionStatus: 'unknown', verified: false },
    addresses: addresses.map((one) => ({
      address: one.address,
      nonce: one.derivationNonce,
      // Set by withdrawals from pools, once these are the account's own.
      lastPrivatelyFundedAt: null,
      usedOrigins: [...one.usedOrigins],
      usedApps: one.usedOrigins.map(describeApp),
      recentlyUsedByDapp: dappOrigin !== undefined && one.usedOrigins.includes(dappOrigin),
      totalUsdBalance: one.totalUsd === null ? null : usdToNumber(one.totalUsd),
      balances: one.balances.map((balance) => ({
        ...heldToWire(balance),
        priceObservedAt: balance.price?.observedAt.toISOString() ?? null,
        listed: balance.token.visibility === 'verified' || balance.token.visibility === 'listed',
        idCount: balance.receiveCount,
        addressSummary: { ...one.summary, trustedReceiveActionCount: 0, trustedReceiveActionTypes: [] },
        provenance: unavailableProvenance('not_traced'),
        lastReceivedAt: balance.lastReceivedAt?.toISOString() ?? null,
      })),
    })),
    total,
  }
}

/** Without a registry of apps the host of its origin is all that is known of one. */
function describeApp(origin: string) {
  return { origin, displayName: URL.parse(origin)?.host ?? origin, iconUrl: null }
}
