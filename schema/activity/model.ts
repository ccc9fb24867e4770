import { z } from 'zod'
import { ACTIVITY_KINDS } from '../../relayer/transact/kinds/quote-kind.ts'
import { provenance } from '../account/provenance/model.ts'
import { provenanceLabelGroups } from '../account/provenance/source-model.ts'
import {
  absentIfNull,
  address,
  amount,
  chainId,
  digits,
  dollars,
  hash,
  instant,
  moment,
} from '../define/scalars.ts'
import { described, parameters, shape } from '../define/shape.ts'
import { writtenOnce } from '../define/text-writer.ts'
import { chainName, decimals, logoUrl, tokenAddress, tokenSymbol } from '../market/describe-balance.ts'
import { bridgeProgress } from '../transact/submit-model.ts'
import { offRamp } from './off-ramp.ts'
import { cursorOf, pagination } from '../define/cursor.ts'

/** Members of an exchange of one token for another: a swap, or a transfer to another chain. */
const exchange = {
  sourceTokenAddress: described(address, 'Contract of the token given; the zero address is the native coin.'),
  sourceDecimals: described(z.int(), 'Decimals of the token given.'),
  sourceTokenSymbol: described(z.string(), 'Symbol of the token given; empty if no source has one.'),
  sourceLogoUrl: described(z.string().nullable(), 'URL of a picture of the token given; null without one.'),
  sourceAmount: described(amount, 'Amount given, in the smallest unit.'),
  sourceUsdAmount: described(
    dollars.nullable(),
    'Value of the amount given in US dollars at the present price; null without a price.',
  ),
  destTokenAddress: described(
    address,
    'Contract of the token received; the zero address is the native coin.',
  ),
  destTokenSymbol: described(z.string(), 'Symbol of the token received; empty if no source has one.'),
  destDecimals: described(z.int(), 'Decimals of the token received.'),
  destLogoUrl: described(z.string().nullable(), 'URL of a picture of the token received; null without one.'),
  destAmount: described(amount, 'Amount received, in the smallest unit.'),
  destUsdAmount: described(
    dollars.nullable(),
    'Value of the amount received in US dollars at the present price; null without a price.',
  ),
  outputRecipient: described(address, 'Address that the received token went to.'),
  outputRecipientIsOwnAddress: described(
    z.boolean(),
    'True when the recipient is one of the account’s own addresses.',
  ),
}

/** The range of the database's columns. */
const blockNumber = z
  .string()
  .regex(/^\d{1,18}$/)
  .pipe(digits)

/** The position of a transaction among all of an account's; later transactions do not change it. */
const place = z.codec(
  z.tuple([instant, z.int().positive(), blockNumber, z.int().nonnegative().max(0x7fff_ffff)]),
  z.object({ blockTime: z.date(), chainId: z.int(), blockNumber: z.bigint(), txIndex: z.int() }),
  {
    decode: ([blockTime, chainId, blockNumber, txIndex]) => ({ blockTime, chainId, blockNumber, txIndex }),
    encode: ({ blockTime, chainId, blockNumber, txIndex }) =>
      [blockTime, chainId, blockNumber, txIndex] as [Date, number, bigint, number],
  },
)

export const activityCursor = cursorOf(z.string().max(200), place)

const usd = dollars.nullable()

const token = { tokenAddress, decimals, tokenSymbol, logoUrl }

export const activityFee = shape('ActivityFee', 'A fee that the account paid.', {
  ...token,
  value: described(amount, 'Amount of the fee in the smallest unit.'),
  usdAmount: described(usd, 'Value of the fee in US dollars at the present price; null without a price.'),
})

export const activityTransfer = shape('ActivityTransfer', 'A token that moved from or to the account.', {
  ...token,
  fromAddress: described(address, 'Address that sent the token.'),
  toAddress: described(
    address,
    'Address that received the token; the zero address for INCOGNITO_SEND, whose recipient is not stored.',
  ),
  value: described(amount, 'Amount that moved, in the smallest unit.'),
  usdAmount: described(usd, 'Value of the amount in US dollars at the present price; null without a price.'),
  provenance: described(
    provenance.optional(),
    'Origin of the funds that arrived at the account, or else of those that left it. While it is pending: the origin of the sending address’s funds; absent of what a pool is to pay back, and of collectibles.',
  ),
})

/** One of three variants, distinguished by `state`. */
export const lifecycle = shape(
  'ActivityLifecycle',
  'How far the activity is: one of three variants, distinguished by `state`.',
  {
    state: described(
      z.enum(['in_flight', 'indexed', 'failed']),
      'in_flight: submitted. indexed: found in the chain’s blocks. failed: it did not work, or not all of it.',
      { id: 'LifecycleState' },
    ),
    relayStatus: described(
      z.string().optional(),
      'Status of the relay (`RelayStatus.status`); absent for confirmed activity.',
    ),
    reason: described(absentIfNull(z.string()), 'Why it failed; absent unless it did.'),
    blockNumber: described(
      absentIfNull(digits),
      'Block of its last transaction, in decimal digits; absent until pending activity is indexed.',
    ),
  },
)

const executionStatus = described(
  z.enum(['pending', 'partial', 'succeeded', 'failed', 'manual_review']),
  'pending: not executed yet. partial: some of its transactions succeeded. succeeded, failed: all of them did. manual_review: a note was spent otherwise than reported; the client has to look.',
  { id: 'ExecutionStatus' },
)

const activityKind = described(
  z.enum(ACTIVITY_KINDS),
  'Its kind, seen from the account. SELF: among its own addresses. INCOGNITO_SEND and INCOGNITO_SELF_SEND: out of a pool. DAPP_CALL: nothing of value moved.',
  { id: 'ActivityKind' },
)

const bridge = shape('ActivityBridge', 'The transfer to another chain, and its progress.', {
  ...exchange,
  ...bridgeProgress.shape,
  destChainId: described(
    chainId,
    'EIP-155 id of the chain where it arrives; after a refund, of the one that it left, and `dest…` is what came back.',
  ),
  destChainName: described(z.string(), 'Name of the chain where it arrives.'),
  destExplorerTxUrlBase: described(
    z.string().nullable(),
    'Append a transaction hash of the chain where it arrives; null without an explorer.',
  ),
  estimatedFillTimeMs: described(
    z.number().nullable(),
    'How long the crossing takes, in milliseconds; null if the venue does not report it.',
  ),
  refundEligibleAt: described(
    moment.nullable(),
    'From when the bridge owes the deposit, if no filler fills it; null once it was filled, paid back, or never made.',
  ),
})

const pool = shape('ActivityPool', 'A deposit into a pool, or its recovery.', {
  poolAddress: described(address, 'Contract of the pool, EIP-55 checksummed.'),
  ...token,
  amount: described(amount, 'Amount deposited or recovered, in the smallest unit.'),
  usdAmount: described(usd, 'Value of `amount` in US dollars at the present price; null without a price.'),
  aspStatus: described(
    z.enum(['pending', 'approved', 'declined', 'failed', 'cancelled']),
    'Decision of the association set provider on the deposit; failed: the deposit was never made; cancelled: it was recovered before a decision.',
    { id: 'AspStatus' },
  ),
  commitmentId: described(
    z.string(),
    'Label of the deposit, in decimal digits; before it is mined the quote’s id and the place of its intent, `quoteId-place`.',
  ),
  vettingFee: described(
    amount.nullable(),
    'Vetting fee that the Entrypoint charged, in the smallest unit; null if the chain does not show it.',
  ),
  vettingFeeUsd: described(usd, 'Value of `vettingFee` in US dollars; null without a price.'),
  depositFee: described(
    amount.nullable(),
    'Service fee for the deposit, in the smallest unit; null when none was taken.',
  ),
  depositFeeUsd: described(usd, 'Value of `depositFee` in US dollars; null without a price.'),
})

const dappMeta = shape('ActivityDappMeta', 'The app that asked for the transaction.', {
  origin: described(z.string(), 'Scheme, host and port of the app.'),
  description: described(
    z.string().nullable(),
    'The effect of the call, for a person; null where it is unknown.',
  ),
  iconUrl: described(z.string().nullable(), 'URL of the app’s picture; null without one.'),
  verified: described(
    z.boolean(),
    'True when a registry lists this very origin; says nothing about the transaction.',
  ),
  connectedAddress: described(
    address.nullable(),
    'The account’s address that the app was shown; null where none was.',
  ),
  isAccountSetup: described(
    z.boolean(),
    'True when the transaction also delegated the address for the first time.',
  ),
})

/** Members of every view of an activity. */
const common = {
  txHash: described(
    hash.nullable(),
    'Hash of the transaction, of several the last; null while pending activity has none, and for a failed spend from a pool.',
  ),
  txHashes: described(
    z.array(hash),
    'Hashes of all its transactions, each once, in the order of its actions.',
  ),
  executionStatus,
  quoteId: described(
    absentIfNull(z.uuid()),
    'Id of the quote that the account submitted for it; absent when there was none.',
  ),
  chainId,
  chainName,
  explorerTxUrlBase: described(
    z.string().nullable(),
    'Append a transaction hash; null for a chain without an explorer.',
  ),
  date: described(
    moment,
    'When the transaction was mined, of several the last; of pending activity, when it was submitted; of a spend from a pool that was not relayed in time, when that ended.',
  ),
  kind: activityKind,
  lifecycle,
  isExternal: described(z.boolean(), 'One of the account’s addresses signed the transaction.'),
  isLikelySpam: described(
    z.boolean(),
    'True when the account did not cause it and it brought nothing of value.',
  ),
  platformFeeBps: described(
    z.number().nullable(),
    'Service fee in basis points of what was sent, 0 where it was waived; null where no quote was submitted for it.',
  ),
  sourceProvenance: described(
    provenance.optional(),
    'Origin of the spent funds, or of the arrived ones if nothing was spent. If several addresses spent, it is that of the address in `transfer` of the list; for an exchange, of an address that gave; while pending, of the address that pays most. `transfers` have the origin of each. Absent where nothing of it moved, and as for transfers.',
  ),
  fundingAddresses: described(
    z.array(address).optional(),
    'The account’s addresses that funded it; absent when none did.',
  ),
  swap: described(
    shape('ActivitySwap', 'The amounts exchanged.', exchange).optional(),
    'The exchange; absent unless `kind` is SWAP or CROSS_CHAIN_SWAP.',
  ),
  bridge: described(bridge.optional(), 'The crossing; absent unless it goes to another chain.'),
  pool: described(pool.optional(), 'The deposit; absent unless it is a deposit into a pool or its recovery.'),
  dappMeta: described(dappMeta.optional(), 'The app; absent unless an app asked for the transaction.'),
  calldata: described(
    z.string().optional(),
    'JSON list of {to, value, data}, the value in decimal wei, of a DAPP_CALL by the account; absent of other kinds, and of a call of more than 64 KiB that the account sent by itself.',
  ),
}

/** An activity as search and the pending list show it. */
export const activityItem = shape(
  'ActivityItem',
  'A past or pending activity, with all its fees and transfers.',
  {
    ...common,
    fees: described(z.array(activityFee), 'Amount that the account paid for it; empty when it paid nothing.'),
    transfers: described(
      z.array(activityTransfer),
      'Transfers from and to addresses of the account, in the order of the chain. Of a transaction with more than a hundred, a hundred: the native coin and ERC-20s before collectibles.',
    ),
    hasMoreTransfers: described(
      z.boolean(),
      'True when the transaction has more than the hundred transfers that the service reads.',
    ),
    offRamp: described(absentIfNull(offRamp), 'The cash-out; absent for every other activity.'),
  },
)

/** An activity as the list shows it: with one fee and one transfer. */
export const listedActivity = writtenOnce(
  shape('ListedActivity', 'An activity, with its main fee and transfer.', {
    ...common,
    fee: described(activityFee.nullable(), 'The main fee; null when the account paid none.'),
    transfer: described(
      activityTransfer.nullable(),
      'The transfer that matters most to the account; null when nothing of it moved.',
    ),
    offRamp: described(offRamp.nullable(), 'The cash-out; null for every other activity.'),
  }),
)

const limit = z.int().min(1).max(500)

export const activitiesQuery = parameters({
  limit: described(
    limit.default(100),
    'Entries of a page at most, 1 to 500; 100 unless given. A page that would exceed some 4 MB ends earlier; `nextCursor` says whether more follows.',
  ),
  cursor: described(activityCursor.optional(), '`nextCursor` of the page before.'),
  hideLikelySpam: described(
    z
      .union([z.boolean(), z.string().max(32)])
      .transform((text) => text === true || text === 'true' || text === '1')
      .optional(),
    '`true` leaves out likely spam, before the limit is applied.',
  ),
})

export const activities = shape('Activities', 'A page of confirmed activity.', {
  provenanceLabelGroups,
  activity: described(z.array(listedActivity), 'The activities of this page, newest first.'),
  pagination,
})

const activityFilters = shape('ActivityFilters', 'Entries to leave out.', {
  hideLikelySpam: described(
    z.boolean().optional(),
    'True leaves out likely spam, before the limit is applied.',
  ),
  hideExternal: described(
    z.boolean().optional(),
    'True leaves out what addresses of the account signed without a quote.',
  ),
})

const activityPaging = shape('ActivityPaging', 'Which page of the answer.', {
  limit: described(
    limit.optional(),
    'Entries of a page at most, 1 to 500; 100 unless given. A page that would exceed some 4 MB ends earlier; `nextCursor` says whether more follows.',
  ),
  cursor: described(
    activityCursor.nullish(),
    '`nextCursor` of the page before; null or absent for the first.',
  ),
})

const activityIncludes = shape('ActivityIncludes', 'Members to add to the answer.', {
  summary: described(z.boolean().optional(), 'True adds `searchSummary` to the answer.'),
})

export const activitySearchBody = shape('ActivitySearch', 'The other party.', {
  address: described(address, 'An address of the account or of another party that was directly involved.'),
  filters: described(activityFilters.optional(), 'Entries to leave out; nothing unless given.'),
  pagination: described(activityPaging.optional(), 'Which page; the first unless given.'),
  include: described(activityIncludes.optional(), 'Members to add; nothing unless given.'),
})

const searchSummary = shape('ActivitySearchSummary', 'All of it, whatever the page and the filters.', {
  address: described(address, 'The requested address.'),
  interactionCount: described(z.int(), 'Number of transactions between the account and the address.'),
  chainIds: described(z.array(z.int()), 'EIP-155 ids of the chains on which they were.'),
})

export const activitySearchAnswer = shape(
  'ActivitySearchAnswer',
  'The activities between the account and the address.',
  {
    provenanceLabelGroups,
    searchSummary: described(
      searchSummary.nullable(),
      'Sums over all pages; null unless `include.summary` is true.',
    ),
    activity: described(z.array(activityItem), 'The activities of this page, newest first.'),
    pagination,
  },
)
