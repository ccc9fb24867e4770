import { z } from 'zod'
import { accountPath } from '../../define/account-path.ts'
import { usedApp } from '../addresses/model.ts'
import { provenance } from '../provenance.ts'
import { receiveSummary } from '../receive-summary.ts'
import { address, amount, chainId } from '../../define/wire-scalars.ts'
import { balanceEntry } from '../../market/balance-entry.ts'

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
      .meta({ id: 'Pricing', description: 'How well balances are priced.' }),
    feeWaiver: z
      .object({
        active: z.boolean(),
        source: z
          .enum(['activation', 'collectible'])
          .meta({
            id: 'FeeWaiverSource',
            description: 'activation: the offer to new accounts. collectible: one that was deposited.',
          })
          .nullable(),
        activeUntil: isoDate.nullable(),
      })
      .meta({ id: 'FeeWaiver', description: 'No service fees while it is active.' }),
  })
  .meta({ id: 'BalanceSheet', description: 'Balances, and what they are worth.' })

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
      .meta({ id: 'DappRecognition', description: 'What is known of an app.' })
      .nullable(),
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
                addressSummary: receiveSummary,
                provenance,
                lastReceivedAt: isoDate.nullable(),
              })
              .meta({
                id: 'AddressBalance',
                description: 'What an address has of one token, and how it came by it.',
              }),
          ),
        })
        .meta({ id: 'AddressBalances', description: 'A one-time address and what it has.' }),
    ),
    total: z.int(),
  })
  .meta({ id: 'AddressBalancesPage', description: 'Addresses and what they have.' })

export const fundedAddresses = z
  .object({
    addresses: z.array(
      z
        .object({
          address,
          nonce: z.int().nonnegative(),
          usedOrigins: z.array(z.string()),
          balances: z.array(
            z.object(held).meta({ id: 'FundedBalance', description: 'What an address has of one token.' }),
          ),
        })
        .meta({ id: 'FundedAddress', description: 'A one-time address that holds something.' }),
    ),
  })
  .meta({ id: 'FundedAddresses', description: 'All addresses that hold something.' })
