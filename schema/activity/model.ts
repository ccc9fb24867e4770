import { z } from 'zod'
import { ACTIVITY_KINDS } from '../../relayer/activity/activity.ts'
import { provenance } from '../provenance/model.ts'
import { address, amount, chainId } from '../wire-scalars.ts'
import { offRamp } from './off-ramp.ts'

const isoDate = z.iso.datetime()
const usd = z.number().nullable()

const token = {
  tokenAddress: address,
  decimals: z.int().nonnegative(),
  tokenSymbol: z.string(),
  logoUrl: z.string().nullable(),
}

export const activityFee = z.object({ ...token, value: amount, usdAmount: usd }).meta({ id: 'ActivityFee' })

export const activityTransfer = z
  .object({
    ...token,
    fromAddress: address,
    toAddress: address,
    value: amount,
    usdAmount: usd.meta({ description: 'At the present price.' }),
    provenance: provenance.optional(),
  })
  .meta({ id: 'ActivityTransfer' })

const exchange = {
  sourceTokenAddress: address,
  sourceDecimals: z.int(),
  sourceTokenSymbol: z.string(),
  sourceLogoUrl: z.string().nullable(),
  sourceAmount: amount,
  sourceUsdAmount: usd,
  destTokenAddress: address,
  destTokenSymbol: z.string(),
  destDecimals: z.int(),
  destLogoUrl: z.string().nullable(),
  destAmount: amount,
  destUsdAmount: usd,
  outputRecipient: address,
  outputRecipientIsOwnAddress: z.boolean(),
}

/** One of three variants, told apart by `state`. */
export const lifecycle = z
  .object({
    state: z.enum(['in_flight', 'indexed', 'failed']).meta({ id: 'LifecycleState' }),
    relayStatus: z.string().optional().meta({ description: 'How far its relay is; of pending activity.' }),
    reason: z.string().optional().meta({ description: 'Why it failed.' }),
    blockNumber: z.string().optional().meta({ description: 'Of indexed activity.' }),
  })
  .meta({ id: 'ActivityLifecycle' })

/** What every view of an activity has (api.md 2.8). */
const common = {
  txHash: z.string().nullable(),
  txHashes: z.array(z.string()),
  executionStatus: z
    .enum(['pending', 'partial', 'succeeded', 'failed', 'manual_review'])
    .meta({ id: 'ExecutionStatus' }),
  quoteId: z.uuid().optional(),
  chainId,
  chainName: z.string(),
  explorerTxUrlBase: z.string().nullable().meta({ description: 'Append a transaction hash.' }),
  date: isoDate,
  kind: z.enum(ACTIVITY_KINDS).meta({ id: 'ActivityKind' }),
  lifecycle,
  isExternal: z.boolean().meta({ description: 'One of the account’s addresses signed the transaction.' }),
  isLikelySpam: z.boolean(),
  platformFeeBps: z.number().nullable(),
  sourceProvenance: provenance.optional(),
  fundingAddresses: z.array(address).optional(),
  swap: z.object(exchange).meta({ id: 'ActivitySwap' }).optional(),
  bridge: z
    .object({
      ...exchange,
      bridgeStatus: z.string(),
      destChainId: chainId,
      destChainName: z.string(),
      destExplorerTxUrlBase: z.string().nullable(),
      estimatedFillTimeMs: z.number().nullable(),
      destTxHash: z.string().nullable(),
      refundTxHash: z.string().nullable(),
      refundEligibleAt: isoDate.nullable(),
    })
    .meta({ id: 'ActivityBridge' })
    .optional(),
  pool: z
    .object({
      poolAddress: address,
      ...token,
      amount,
      usdAmount: usd,
      aspStatus: z.enum(['pending', 'approved', 'declined', 'failed', 'cancelled']).meta({ id: 'AspStatus' }),
      commitmentId: z.string(),
      vettingFee: amount.nullable(),
      vettingFeeUsd: usd,
      depositFee: amount.nullable(),
      depositFeeUsd: usd,
    })
    .meta({ id: 'ActivityPool' })
    .optional(),
  dappMeta: z
    .object({
      origin: z.string(),
      description: z.string().nullable(),
      iconUrl: z.string().nullable(),
      verified: z.boolean(),
      connectedAddress: address.nullable(),
      isAccountSetup: z.boolean(),
    })
    .meta({ id: 'ActivityDappMeta' })
    .optional(),
  calldata: z
    .string()
    .optional()
    .meta({ description: 'JSON list of {to, value, data}, of a DAPP_CALL by the account.' }),
}

/** As search and the pending view show it. */
export const activityItem = z
  .object({ ...common, fees: z.array(activityFee), transfers: z.array(activityTransfer) })
  .meta({ id: 'ActivityItem' })

/** As the list shows it: one fee, one transfer. */
export const listedActivity = z
  .object({
    ...common,
    fee: activityFee.nullable(),
    transfer: activityTransfer.nullable().meta({ description: 'The one that matters most to the account.' }),
    offRamp: offRamp.nullable(),
  })
  .meta({ id: 'ListedActivity' })

const pagination = z
  .object({ limit: z.int(), nextCursor: z.string().nullable() })
  .meta({ id: 'ActivityPagination' })

const provenanceLabelGroups = z.array(z.unknown()).nullable()

const limit = z.int().min(1).max(500)
const cursor = z.string().max(200)

export const activitiesQuery = z.object({
  limit: limit.default(100).meta({ description: '1 to 500; 100 unless given.' }),
  cursor: cursor.optional().meta({ description: '`nextCursor` of the page before.' }),
  hideLikelySpam: z
    .union([z.boolean(), z.string().max(8)])
    .transform((text) => text === true || text === 'true' || text === '1')
    .optional()
    .meta({ description: '`true` leaves out likely spam, before the limit is applied.' }),
})

export const activities = z
  .object({ provenanceLabelGroups, activity: z.array(listedActivity), pagination })
  .meta({ id: 'Activities' })

export const activitySearchBody = z
  .object({
    address: address.meta({ description: 'Of the account or somebody else; directly involved.' }),
    filters: z
      .object({ hideLikelySpam: z.boolean().optional(), hideExternal: z.boolean().optional() })
      .meta({ id: 'ActivityFilters' })
      .optional(),
    pagination: z
      .object({ limit: limit.optional(), cursor: cursor.nullish() })
      .meta({ id: 'ActivityPaging' })
      .optional(),
    include: z.object({ summary: z.boolean().optional() }).meta({ id: 'ActivityIncludes' }).optional(),
  })
  .meta({ id: 'ActivitySearch' })

export const activitySearchAnswer = z
  .object({
    provenanceLabelGroups,
    searchSummary: z
      .object({ address, interactionCount: z.int(), chainIds: z.array(z.int()) })
      .meta({ id: 'ActivitySearchSummary' })
      .nullable(),
    activity: z.array(activityItem),
    pagination,
  })
  .meta({ id: 'ActivitySearchAnswer' })
