import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import type { FragmentSqlToken, CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'
import { listenChannel, type ChannelListener } from '../../listen-channel.ts'

type Hex = `0x${string}`

/** A signed EIP-7702 authorization carried by a transaction. */
export const outboundAuthorization = z.object({
  contractAddress: hexText,
  chainId: z.int(),
  authorizationNonce: z.int(),
  /** 65 bytes r‖s‖v. */
  signature: hexText,
})
/** An EIP-7702 authorization after parsing. */
export type OutboundAuthorization = z.output<typeof outboundAuthorization>

/** The part of a transaction's cost that its fee covers. */
export interface Cover {
  /** Wei. */
  covered: bigint
  /** Gas that the transaction is expected to use. */
  likelyGas: bigint
}

/** Latest progress of an outgoing transaction. */
export type OutboundProgressRow =
  | { status: 'sent' | 'confirmed' | 'reverted'; hash: Hex }
  | { status: 'abandoned'; reason: string }

/** A signed form of an outgoing transaction. Fees in wei per gas. */
export interface SignedAttempt {
  hash: Hex
  raw: Hex
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Most wei that it may cost, value included. */
  reserved: bigint
}

/**
 * Locks the transactions that meet a condition, by id, inside a statement that then changes them. All code that locks
 * several uses this order. Selects an array of the ids that still meet the condition once locked.
 */
export const holding = (condition: FragmentSqlToken) => sql.fragment`array(
  select id from outbound_tx where ${condition} order by id for no key update)`

/** Locks those of the transactions that are signed and not final. */
export const holdingUnfinished = (ids: readonly string[]) =>
  holding(sql.fragment`id = any(${sql.array([...ids], 'uuid')}) and status in ('signed', 'sent')`)

const CHANNEL = 'outbound'

/** The notification of {@link notifyOutbound} for one message, as an item of a `from` clause. */
export const notifying = (message: string | FragmentSqlToken) =>
  sql.fragment`pg_notify(${CHANNEL}, ${message})`

/** Notifies every instance when the transaction commits. A message is at most 7,999 bytes. */
export async function notifyOutbound(
  transaction: CommonQueryMethods,
  messages: readonly string[],
): Promise<void> {
  if (messages.length === 0) return
  await transaction.query(sql.typeAlias('void')`
    select from unnest(${sql.array([...messages], 'text')}) as message
    cross join lateral pg_notify(${CHANNEL}, message)`)
}

/**
 * Listens for {@link notifyOutbound} on a connection of its own, which is reopened when it breaks.
 * @param on.open Called after every (re)connection: messages sent in between are lost.
 */
export const listenOutbound = (
  databaseUrl: string,
  on: Parameters<typeof listenChannel>[2],
): Promise<ChannelListener> => listenChannel(databaseUrl, CHANNEL, on)
