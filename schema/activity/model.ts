import { z } from 'zod'
import { ACTIVITY_KINDS } from '../../relayer/transact/kinds/activity-kinds.ts'
import { pagination } from '../define/pagination.ts'
import { provenance } from '../account/provenance.ts'
import { address, amount, chainId } from '../define/wire-scalars.ts'
import { offRamp } from './off-ramp.ts'

const isoDate = z.iso.datetime()
const usd = z.number().nullable()

const token = {
  tokenAddress: address,
  decimals: z.int().nonnegative(),
  tokenSymbol: z.string(),
  logoUrl: z.string().nullable(),
}

export const activityFee = z
  .object({ ...token, value: amount, usdAmount: usd })
  .meta({ id: 'ActivityFee', description: 'A fee that the account paid.' })

export const activityTransfer = z
  .object({
    ...token,
    fromAddress: address,
    toAddress: address,
    value: amount,
    usdAmount: usd.meta({ description: 'At the present price.' }),
    provenance: provenance.optional(),
  })
  .meta({ id: 'ActivityTransfer', description: 'A token that moved from or to the account.' })

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
    state: z.enum(['in_flight', 'indexed', 'failed']).meta({
      id: 'LifecycleState',
      description:
        'in_flight: submitted. indexed: found in the chain’s blocks. failed: it did not work, or not all of it.',
    }),
    relayStatus: z.string().optional().meta({ description: 'How far its relay is; of pending activity.' }),
    reason: z.string().optional().meta({ description: 'Why it failed.' }),
    blockNumber: z.string().optional().meta({ description: 'Of pending activity, once it is indexed.' }),
  })
  .meta({
    id: 'ActivityLifecycle',
    description: 'How far it is: one of three variants, told apart by `state`.',
  })

/** What every view of an activity has (api.md 2.8). */
const common = {
  txHash: z.string().nullable(),
  txHashes: z.array(z.string()),
  executionStatus: z.enum(['pending', 'partial', 'succeeded', 'failed', 'manual_review']).meta({
    id: 'ExecutionStatus',
    description: 'Whether it worked. partial: some of its transactions did.',
  }),
  quoteId: z.uuid().optional(),
  chainId,
  chainName: z.string(),
  explorerTxUrlBase: z.string().nullable().meta({ description: 'Append a transaction hash.' }),
  date: isoDate,
  kind: z.enum(ACTIVITY_KINDS).meta({
    id: 'ActivityKind',
    description:
      'What it was, seen from the account. SELF: among its own addresses. INCOGNITO_SEND and INCOGNITO_SELF_SEND: out of a pool. DAPP_CALL: nothing of value moved.',
  }),
  lifecycle,
  isExternal: z.boolean().meta({ description: 'One of the account’s addresses signed the transaction.' }),
  isLikelySpam: z.boolean(),
  platformFeeBps: z.number().nullable(),
  sourceProvenance: provenance.optional(),
  fundingAddresses: z.array(address).optional(),
  swap: z.object(exchange).meta({ id: 'ActivitySwap', description: 'What was given for what.' }).optional(),
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
    .meta({ id: 'ActivityBridge', description: 'What went to another chain, and how far it is.' })
    .optional(),
  pool: z
    .object({
      poolAddress: address,
      ...token,
      amount,
      usdAmount: usd,
      aspStatus: z
        .enum(['pending', 'approved', 'declined', 'failed', 'cancelled'])
        .meta({ id: 'AspStatus', description: 'What the association set provider says of a deposit.' }),
      commitmentId: z.string(),
      vettingFee: amount.nullable(),
      vettingFeeUsd: usd,
      depositFee: amount.nullable(),
      depositFeeUsd: usd,
    })
    .meta({ id: 'ActivityPool', description: 'A deposit into a pool, or its recovery.' })
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
    .meta({ id: 'ActivityDappMeta', description: 'The app that asked for it.' })
    .optional(),
  calldata: z
    .string()
    .optional()
    .meta({ description: 'JSON list of {to, value, data}, of a DAPP_CALL by the account.' }),
}

/** As search and the pending view show it. */
export const activityItem = z
  .object({ ...common, fees: z.array(activityFee), transfers: z.array(activityTransfer) })
  .meta({
    id: 'ActivityItem',
    description: 'What happened or is under way, with all its fees and transfers.',
  })

/** As the list shows it: one fee, one transfer. */
export const listedActivity = z
  .object({
    ...common,
    fee: activityFee.nullable(),
    transfer: activityTransfer.nullable().meta({ description: 'The one that matters most to the account.' }),
    offRamp: offRamp.nullable(),
  })
  .meta({ id: 'ListedActivity', description: 'What happened, with its main fee and transfer.' })

const provenanceLabelGroups = z.array(z.unknown()).nullable()

const limit = z.int().min(1).max(500)
const cursor = z.string().max(200)

export const activitiesQuery = z.object({
  limit: limit.default(100).meta({ description: '1 to 500; 100 unless given.' }),
  cursor: cursor.optional().meta({ description: '`nextCursor` of the page before.' }),
  hideLikelySpam: z
    .union([z.boolean(), z.string().max(32)])
    .transform((text) => text === true || text === 'true' || text === '1')
    .optional()
    .meta({ description: '`true` leaves out likely spam, before the limit is applied.' }),
})

export const activities = z
  .object({ provenanceLabelGroups, activity: z.array(listedActivity), pagination })
  .meta({ id: 'Activities', description: 'A page of confirmed activity.' })

export const activitySearchBody = z
  .object({
    address: address.meta({ description: 'Of the account or somebody else; directly involved.' }),
    filters: z
      .object({ hideLikelySpam: z.boolean().optional(), hideExternal: z.boolean().optional() })
      .meta({ id: 'ActivityFilters', description: 'What to leave out.' })
      .optional(),
    pagination: z
      .object({ limit: limit.optional(), cursor: cursor.nullish() })
      .meta({ id: 'ActivityPaging', description: 'Which page.' })
      .optional(),
    include: z
      .object({ summary: z.boolean().optional() })
      .meta({ id: 'ActivityIncludes', description: 'What to add.' })
      .optional(),
  })
  .meta({ id: 'ActivitySearch', description: 'Whose dealings with the account are asked for.' })

export const activitySearchAnswer = z
  .object({
    provenanceLabelGroups,
    searchSummary: z
      .object({ address, interactionCount: z.int(), chainIds: z.array(z.int()) })
      .meta({ id: 'ActivitySearchSummary', description: 'All of it, whatever the page and the filters.' })
      .nullable(),
    activity: z.array(activityItem),
    pagination,
  })
  .meta({
    id: 'ActivitySearchAnswer',
    description: 'What the account and the address had to do with each other.',
  })
