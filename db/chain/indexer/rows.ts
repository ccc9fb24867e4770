import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'

/** The kinds of asset that are indexed. */
export const standard = z.enum(['native', 'erc20', 'erc721', 'erc1155'])
/** One of the kinds of asset. */
export type Standard = z.output<typeof standard>

/** A movement of value; `tokenId` is null where the standard has no ids, the native coin's token is the zero address. */
export const transferRow = z.object({
  chainId: smallInteger,
  blockHash: hexText,
  source: z.enum(['log', 'call', 'withdrawal']),
  position: z.number(),
  item: z.number(),
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txHash: hexText.nullable(),
  standard,
  token: hexText,
  tokenId: z.bigint().nullable(),
  from: hexText,
  to: hexText,
  amount: z.bigint(),
})
/** A transfer row after parsing. Amounts are in the asset's smallest unit. */
export type TransferRow = z.output<typeof transferRow>

/** A transaction that touches a watched address. `fee` and `value` in wei. */
export const indexedTxRow = z.object({
  chainId: smallInteger,
  txHash: hexText,
  blockHash: hexText,
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txIndex: z.number(),
  from: hexText,
  to: hexText.nullable(),
  txNonce: smallInteger,
  value: z.bigint(),
  succeeded: z.boolean(),
  gasUsed: z.bigint(),
  fee: z.bigint(),
  selector: hexText.nullable(),
  /** Calldata of a transaction that a watched address sent; null for others, and beyond 64 KiB. */
  input: hexText.nullable(),
})
/** A transaction row after parsing. */
export type IndexedTxRow = z.output<typeof indexedTxRow>

/** The events of pools and of the Entrypoint that are stored. */
const poolEventKind = z.enum([
  'pool-registered',
  'pool-removed',
  'entrypoint-deposit',
  'relay',
  'asp-root',
  'deposit',
  'withdrawal',
  'ragequit',
  'leaf',
])
/** One of the kinds of pool event. */
export type PoolEventKind = z.output<typeof poolEventKind>

/** An event of a pool or the Entrypoint; `db/schema/chain.sql` says which kind fills which column. */
export const poolEventRow = z.object({
  chainId: smallInteger,
  blockHash: hexText,
  logIndex: z.number(),
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txHash: hexText,
  kind: poolEventKind,
  contract: hexText,
  pool: hexText.nullable(),
  asset: hexText.nullable(),
  account: hexText.nullable(),
  relayer: hexText.nullable(),
  value: z.bigint().nullable(),
  fee: z.bigint().nullable(),
  commitment: z.bigint().nullable(),
  label: z.bigint().nullable(),
  precommitment: z.bigint().nullable(),
  nullifierHash: z.bigint().nullable(),
  root: z.bigint().nullable(),
  leafIndex: z.bigint().nullable(),
  scope: z.bigint().nullable(),
  ipfsCid: z.string().nullable(),
})
/** A pool event after parsing; columns that its kind does not fill are null. */
export type PoolEventRow = z.output<typeof poolEventRow>

/**
 * An event of a SpokePool about a watched address; `db/schema/chain.sql` says which kind fills which column. Amounts in
 * smallest units.
 */
export const bridgeEventRow = z.object({
  chainId: smallInteger,
  blockHash: hexText,
  logIndex: z.number(),
  item: z.number(),
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txHash: hexText,
  kind: z.enum(['deposit', 'fill', 'refund', 'refund-claim']),
  address: hexText,
  token: hexText.nullable(),
  amount: z.bigint().nullable(),
  isDeferred: z.boolean().nullable(),
  relayKey: hexText.nullable(),
  depositId: z.bigint().nullable(),
  /** Seconds since 1970. */
  quoteTimestamp: smallInteger.nullable(),
  fallbackRecipient: hexText.nullable(),
})
/** A bridge event after parsing; columns that its kind does not fill are null. */
export type BridgeEventRow = z.output<typeof bridgeEventRow>

/**
 * An event of a cash-out escrow or of its buyers' orchestrator about a deposit; `db/schema/chain.sql` says which kind
 * fills which column. Amounts in smallest units.
 */
export const cashEventRow = z.object({
  chainId: smallInteger,
  blockHash: hexText,
  logIndex: z.number(),
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txHash: hexText,
  kind: z.enum([
    'received',
    'added',
    'withdrawn',
    'closed',
    'accepting',
    'dust',
    'locked',
    'extended',
    'unlocked',
    'transferred',
    'signaled',
    'pruned',
    'fulfilled',
  ]),
  /** The deposit's depositor. */
  address: hexText,
  escrow: hexText,
  depositId: z.bigint(),
  depositKey: hexText.nullable(),
  amount: z.bigint().nullable(),
  intentHash: hexText.nullable(),
  /** Seconds since 1970. */
  expiresAt: smallInteger.nullable(),
  rate: z.bigint().nullable(),
  held: z.bigint().nullable(),
  flag: z.boolean().nullable(),
})
/** A cash-out event after parsing; columns that its kind does not fill are null. */
export type CashEventRow = z.output<typeof cashEventRow>

/**
 * A cash-out event as read from a block. Only the event that opens a deposit names the depositor. Of the orchestrator's
 * events, only a buyer's first names the deposit.
 */
export type ReadCashEvent = Omit<CashEventRow, 'address' | 'depositId'> & {
  address: CashEventRow['address'] | null
  depositId: bigint | null
}

/** IntentExecuted for a watched address; `err` is 0x00000000 when the intent succeeded. */
const intentEventRow = z.object({
  chainId: smallInteger,
  blockHash: hexText,
  logIndex: z.number(),
  blockNumber: z.bigint(),
  blockTime: z.date(),
  txHash: hexText,
  orchestrator: hexText,
  eoa: hexText,
  intentNonce: z.bigint(),
  incremented: z.boolean(),
  err: hexText,
  /** Null where the bounds are unknown; `db/schema/chain.sql` explains them. */
  firstLog: z.number().nullable(),
  firstMove: z.number().nullable(),
  lastMove: z.number().nullable(),
})
/** An IntentExecuted event after parsing. */
export type IntentEventRow = z.output<typeof intentEventRow>

/** Balance of an address; `stale` while a newer amount awaits its read, which takes moments. */
export const holdingRow = z.object({
  chainId: smallInteger,
  address: hexText,
  standard,
  token: hexText,
  tokenId: z.bigint(),
  amount: z.bigint(),
  stale: z.boolean(),
  asOfNumber: z.bigint().nullable(),
  asOfHash: hexText.nullable(),
})
/** A holding after parsing; amounts are in the asset's smallest unit. */
export type HoldingRow = z.output<typeof holdingRow>

/** Facts about watched addresses and pools in one or more blocks. */
export interface Facts {
  /** Whether a pool paid out native coins, which traces and events may both report. */
  hasRelayed: boolean
  transfers: readonly TransferRow[]
  txs: readonly IndexedTxRow[]
  addressTxs: readonly {
    address: string
    chainId: number
    txHash: string
    blockNumber: bigint
    blockTime: Date
    txIndex: number
  }[]
  poolEvents: readonly PoolEventRow[]
  bridgeEvents: readonly BridgeEventRow[]
  /** Includes events about other people's deposits; the write drops them. */
  cashEvents: readonly ReadCashEvent[]
  intents: readonly IntentEventRow[]
}
