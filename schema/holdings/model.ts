import { z } from 'zod'
import { accountPath } from '../accounts/model.ts'
import { provenance } from '../provenance/model.ts'
import { address, amount, chainId } from '../wire-scalars.ts'
import { balanceEntry } from './balance-entry.ts'

const isoDate = z.iso.datetime()
const usd = z.number().nonnegative()

export const chainPath = accountPath.extend({ chainId })
export const tokenPath = chainPath.extend({ token: address })

export const balanceSheet = z
  .object({
    balances: z.array(balanceEntry),
    totalUsdAmount: usd.nullable().meta({
      description: 'Sum of what has a price; null when there is something and none of it has one.',
    }),
    pricing: z
      .object({
        nonZeroAssetCount: z.int(),
        pricedAssetCount: z.int(),
        unpricedAssetCount: z.int(),
        oldestPriceObservedAt: isoDate.nullable(),
        newestPriceObservedAt: isoDate.nullable(),
      })
      .meta({ id: 'Pricing' }),
    feeWaiver: z
      .object({
        active: z.boolean(),
        source: z.enum(['activation', 'collectible']).meta({ id: 'FeeWaiverSource' }).nullable(),
        activeUntil: isoDate.nullable(),
      })
      .meta({ id: 'FeeWaiver', description: 'No service fees while it is active.' }),
  })
  .meta({ id: 'BalanceSheet' })

export const addressBalancesQuery = z.object({
  purpose: z.string().max(64).optional().meta({ description: 'What the client asks for; changes nothing.' }),
  address: address.optional(),
  chainId: chainId.optional(),
  token: address.optional(),
  dappOrigin: z.string().max(2_048).optional().meta({
    description: 'Origin of an app: addresses that it was shown come with `recentlyUsedByDapp`.',
  }),
  limit: z.int().min(1).max(1_000).optional().meta({ description: 'Addresses; all of them unless given.' }),
  offset: z.int().nonnegative().max(1_000_000).optional(),
})

const addressSummary = z
  .object({
    receiveCount: z.int(),
    rawReceiveCount: z.int().meta({ description: 'With what looks like spam.' }),
    trustedReceiveActionCount: z.int(),
    trustedReceiveActionTypes: z.array(z.string()),
    assetCount: z.int(),
    chainCount: z.int(),
  })
  .meta({ id: 'ReceiveSummary' })

const held = {
  chainId,
  chainName: z.string(),
  token: address,
  tokenSymbol: z.string(),
  decimals: z.int().nonnegative(),
  logoUrl: z.string().nullable(),
  amount,
  available: amount,
  pending: amount,
  usdAmount: usd.nullable(),
  pricePerToken: usd.nullable(),
  priceStale: z.boolean(),
}

const usedApp = z
  .object({ origin: z.string(), displayName: z.string(), iconUrl: z.string().nullable() })
  .meta({ id: 'AppOfAddress' })

export const addressBalances = z
  .object({
    provenanceLabelGroups: z.array(z.unknown()).nullable(),
    dapp: z
      .object({
        origin: z.string(),
        displayName: z.string(),
        iconUrl: z.string().nullable(),
        recognitionStatus: z.string(),
        verified: z.boolean(),
      })
      .nullable()
      .meta({ id: 'DappRecognition' }),
    addresses: z.array(
      z
        .object({
          address,
          nonce: z.int().nonnegative(),
          lastPrivatelyFundedAt: isoDate.nullable(),
          usedOrigins: z.array(z.string()),
          usedApps: z.array(usedApp),
          recentlyUsedByDapp: z.boolean(),
          totalUsdBalance: usd.nullable(),
          balances: z.array(
            z
              .object({
                ...held,
                priceObservedAt: isoDate.nullable(),
                listed: z
                  .boolean()
                  .meta({ description: 'In the token list, or configured by the operator.' }),
                idCount: z.int().meta({ description: 'How often it was received here.' }),
                addressSummary,
                provenance,
                lastReceivedAt: isoDate.nullable(),
              })
              .meta({ id: 'AddressBalance' }),
          ),
        })
        .meta({ id: 'AddressBalances' }),
    ),
    total: z.int(),
  })
  .meta({ id: 'AddressBalancesPage' })

export const fundedAddresses = z
  .object({
    addresses: z.array(
      z
        .object({
          address,
          nonce: z.int().nonnegative(),
          usedOrigins: z.array(z.string()),
          balances: z.array(z.object(held).meta({ id: 'FundedBalance' })),
        })
        .meta({ id: 'FundedAddress' }),
    ),
  })
  .meta({ id: 'FundedAddresses' })
