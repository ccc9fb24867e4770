import type {
  AddressTokenBalance,
  BalanceSheet,
  FundedAddress,
} from '../../../relayer/account/balances/balances.ts'
import { usdToNumber } from '../../../relayer/market/prices/usd.ts'
import type { AnswerOf } from '../../define/encode.ts'
import { describeBalance, describePrice, describeValue } from '../../market/describe-balance.ts'
import { unavailableProvenance } from '../provenance.ts'
import type * as model from './model.ts'

const NOT_TRACED = unavailableProvenance('not_traced')

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
    addresses: addresses.map(({ address, derivationNonce, usedOrigins, balances }) => ({
      address,
      nonce: derivationNonce,
      usedOrigins,
      balances: balances.map(describeHeld),
    })),
  }
}

/** A page of addresses with their holdings, how these arrived, and the apps that the address was shown to. */
export function describeAddressBalances(
  { addresses, total }: { addresses: readonly FundedAddress[]; total: number },
  dappOrigin: string | undefined,
): AnswerOf<typeof model.addressBalances> {
  return {
    provenanceLabelGroups: null,
    dapp:
      dappOrigin === undefined
        ? null
        : { ...describeApp(dappOrigin), recognitionStatus: 'unknown', verified: false },
    addresses: addresses.map((one) => ({
      address: one.address,
      nonce: one.derivationNonce,
      lastPrivatelyFundedAt: one.lastPrivatelyFundedAt,
      usedOrigins: one.usedOrigins,
      usedApps: one.usedOrigins.map(describeApp),
      recentlyUsedByDapp: dappOrigin !== undefined && one.usedOrigins.includes(dappOrigin),
      totalUsdBalance: one.totalUsd === null ? null : usdToNumber(one.totalUsd),
      balances: one.balances.map((balance) => ({
        ...describeHeld(balance),
        listed: balance.token.visibility === 'verified' || balance.token.visibility === 'listed',
        idCount: balance.receiveCount,
        addressSummary: { ...one.summary, trustedReceiveActionCount: 0, trustedReceiveActionTypes: [] },
        provenance: NOT_TRACED,
        lastReceivedAt: balance.lastReceivedAt,
      })),
    })),
    total,
  }
}

/** There is no registry of apps, so an app is described by the host of its origin. */
function describeApp(origin: string) {
  return { origin, displayName: URL.parse(origin)?.host ?? origin, iconUrl: null }
}
