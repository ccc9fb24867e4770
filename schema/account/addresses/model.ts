import { z } from 'zod'
import { address, amount, chainId } from '../../define/wire-scalars.ts'

const isoDate = z.iso.datetime()

export const issuedAddress = z
  .object({
    address,
    nonce: z.string().meta({
      description: 'The derivationNonce as a decimal string; in lists it is a number.',
      examples: ['0'],
    }),
    reused: z.boolean().meta({ description: 'An unused address that was handed out before.' }),
    limitResetsAt: isoDate
      .nullable()
      .meta({ description: 'When fresh addresses are handed out again; null while they are.' }),
  })
  .meta({ id: 'PaymentAddress', description: 'An address to be paid at.' })

const generationContext = z.enum(['external', 'fund-movement']).meta({
  id: 'GenerationContext',
  description: 'external: to be paid at. fund-movement: made by the service to move funds to.',
})

const limit = z.int().min(1).max(500).optional().meta({ description: '1 to 500; 100 unless given.' })

export const addressesQuery = z.object({
  address: address.optional(),
  activity: z.string().max(32).optional().meta({
    description:
      '`used` or `unused` (`true`, `false`): those with or without activity. Anything else means all.',
  }),
  hasBalance: z.boolean().optional(),
  usedWithApps: z.boolean().optional(),
  includeSummary: z.boolean().optional().meta({ description: 'Adds `summary` to each.' }),
  limit,
  cursor: z.string().max(100).optional().meta({ description: '`nextCursor` of the page before.' }),
})

export const usedApp = z
  .object({ origin: z.string(), displayName: z.string(), iconUrl: z.string().nullable() })
  .meta({ id: 'UsedApp', description: 'An app that an address was shown.' })

const summary = z
  .object({
    balances: z.array(
      z
        .object({
          chainId,
          token: address,
          amount,
          tokenSymbol: z.string(),
          decimals: z.int(),
          logoUrl: z.string().nullable(),
          usdAmount: z.number().nullable(),
        })
        .meta({ id: 'AddressBalanceSummary', description: 'What an address has of one token.' }),
    ),
    totalUsdBalance: z.number().nullable(),
    usedApps: z.array(usedApp),
  })
  .meta({ id: 'AddressSummary', description: 'What an address holds and where it was used.' })

export const addressPage = z
  .object({
    items: z.array(
      z
        .object({
          generationContext: generationContext.nullable(),
          address,
          nonce: z.int().nonnegative().meta({ description: 'The derivationNonce.' }),
          createdAt: isoDate,
          hasActivity: z.boolean(),
          activityCount: z.int().nonnegative(),
          hasPendingActivity: z.boolean(),
          hasBalance: z.boolean(),
          summary: summary.optional(),
        })
        .meta({ id: 'OwnedAddress', description: 'A one-time address of the account.' }),
    ),
    total: z.int().nonnegative().meta({ description: 'Of all pages.' }),
    nextCursor: z.string().nullable(),
    checkedChainIds: z
      .array(chainId)
      .meta({ description: 'Chains whose activity and balances are included.' }),
  })
  .meta({ id: 'AddressPage', description: 'A page of one-time addresses.' })

export const dappAddressesQuery = z.object({
  paginateBy: z
    .string()
    .max(32)
    .optional()
    .meta({ description: 'Taken and not looked at: there is one order.' }),
  limit,
  offset: z.int().min(0).max(1_000_000).optional(),
})

export const dappAddressPage = z
  .object({
    items: z.array(
      z
        .object({ address, app: usedApp, lastUsedAt: isoDate })
        .meta({ id: 'DappAddress', description: 'An app, and an address that it was shown.' }),
    ),
    hasMore: z.boolean(),
  })
  .meta({ id: 'DappAddressPage', description: 'A page of them.' })

export const ownershipQuery = z.object({ address })
export const ownership = z
  .object({ owned: z.boolean() })
  .meta({ id: 'AddressOwnership', description: 'Whether the address is the account’s.' })

export const paymentAddressBody = z
  .object({})
  .meta({ id: 'PaymentAddressRequest', description: 'An empty object; may be left out.' })
