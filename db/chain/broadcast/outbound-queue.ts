import type { CommonQueryMethods, FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import {
  outboundAuthorization,
  type Cover,
  type OutboundAuthorization,
  type SignedAttempt,
  holding,
  notifying,
} from './outbound-rows.ts'
import { bytesOfHex, hexBytes, hexText, smallInteger } from '../../column-types.ts'
import { keepRows } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const outboundTable = keepRows(
  'outbound_tx',
  'erases what it sent by itself; its address is a contract’s',
)

type Hex = `0x${string}`

/** A transaction to be queued. `value` is in wei. */
export interface NewOutbound {
  id: string
  chainId: number
  kind: string
  reference: string
  to: Hex
  data: Hex
  value: bigint
  gasLimit: bigint
  authorizations?: readonly OutboundAuthorization[]
  /** Null where no fee covers it. */
  cover?: Cover | null
}

function queueing(outbound: NewOutbound) {
  const { authorizations = [] } = outbound
  return sql.fragment`
    insert into outbound_tx (id, chain_id, kind, reference, to_address, data, value, gas_limit, authorizations,
      covered, likely_gas)
    values (${outbound.id}, ${outbound.chainId}, ${outbound.kind}, ${outbound.reference}, ${outbound.to},
      ${sql.binary(bytesOfHex(outbound.data))}, ${outbound.value}, ${outbound.gasLimit},
      ${authorizations.length > 0 ? sql.jsonb(authorizations) : null}, ${outbound.cover?.covered ?? null}::numeric,
      ${outbound.cover?.likelyGas ?? null}::int8)`
}

/**
 * Statements of the caller that run within the one that writes a transaction: all or nothing. A statement may read the
 * results of earlier ones as `beside_0`, `beside_1` and so on.
 */
export type Beside = FragmentSqlToken | readonly FragmentSqlToken[]

/** The caller's statements as common table expressions, each preceded by a comma. */
export const writingBeside = (beside: Beside) => {
  const statements = 'sql' in beside ? [beside] : beside
  const parts = statements.map(
    (statement, place) => sql.fragment`, ${sql.identifier([`beside_${place}`])} as (${statement})`,
  )
  return parts.length > 0 ? sql.join(parts, sql.fragment` `) : sql.fragment``
}

/**
 * Queues a transaction and notifies every instance, in one statement that needs no surrounding transaction.
 * @param beside Statements of the caller that succeed or fail with it.
 */
export async function insertQueued(
  connection: CommonQueryMethods,
  outbound: NewOutbound,
  message: string,
  beside: Beside = [],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    with queued as (${queueing(outbound)}) ${writingBeside(beside)}
    select from ${notifying(message)}`)
}

const queuedRow = z.object({
  id: z.string(),
  kind: z.string(),
  reference: z.string(),
  to: hexText,
  data: hexBytes,
  value: z.bigint(),
  gasLimit: z.bigint(),
  authorizations: z.array(outboundAuthorization).nullable(),
  /** Wei that its fee covers, and its expected gas; null without a fee. */
  covered: z.bigint().nullable(),
  likelyGas: z.bigint().nullable(),
})
/** A queued transaction, without a signer yet. */
export type QueuedOutbound = z.output<typeof queuedRow>

const queuedColumns = sql.fragment`
  id, kind, reference, to_address as "to", data, value, gas_limit as "gasLimit", authorizations, covered,
  likely_gas as "likelyGas"`

/** Conditions for a review: a queued transaction of these kinds, at least this old and at least this long without one. */
export interface ReviewTerms {
  kinds: readonly string[]
  afterMs: number
}

/** Only the database's clock counts: rows may come from another instance or a backup. */
const needsReview = ({ kinds, afterMs }: ReviewTerms) => sql.fragment`
  (kind = any(${sql.array([...kinds], 'text')})
    and greatest(created_at, reviewed_at) < now() - ${afterMs} * interval '1 ms')`

/**
 * Locks the oldest queued transactions of a chain that cost at most `most` wei; rows locked by others are skipped.
 * Transactions that are unaffordable now, or need a review first, do not block the others.
 */
export function lockQueued(
  transaction: CommonQueryMethods,
  chainId: number,
  {
    limit,
    kinds,
    maxFeePerGas,
    most,
    review,
    except,
  }: {
    limit: number
    /** Null for all. */
    kinds: readonly string[] | null
    maxFeePerGas: bigint
    most: bigint
    review: ReviewTerms
    /** Ids to exclude. */
    except: readonly string[]
  },
): Promise<readonly QueuedOutbound[]> {
  const ofKinds = kinds ? sql.fragment`and kind = any(${sql.array([...kinds], 'text')})` : sql.fragment``
  return transaction.any(sql.type(queuedRow)`
    select ${queuedColumns} from outbound_tx
    where chain_id = ${chainId} and status = 'queued' ${ofKinds} and gas_limit * ${maxFeePerGas}::numeric + value <= ${most}
      and not ${needsReview(review)} and id <> all(${sql.array([...except], 'uuid')})
    order by position limit ${limit} for update skip locked`)
}

/**
 * Lists the oldest queued transactions of a chain that need a review.
 * @param except Ids to exclude.
 */
export function listUnreviewed(
  pool: CommonQueryMethods,
  chainId: number,
  { limit, except }: { limit: number; except: readonly string[] },
  review: ReviewTerms,
): Promise<readonly QueuedOutbound[]> {
  return pool.any(sql.type(queuedRow)`
    select ${queuedColumns} from outbound_tx
    where chain_id = ${chainId} and status = 'queued' and ${needsReview(review)}
      and id <> all(${sql.array([...except], 'uuid')})
    order by position limit ${limit}`)
}

/** Records that a review just found queued transactions fit to be sent. */
export async function markReviewed(pool: CommonQueryMethods, ids: readonly string[]): Promise<void> {
  const held = holding(sql.fragment`id = any(${sql.array([...ids], 'uuid')}) and status = 'queued'`)
  await pool.query(sql.typeAlias('void')`
    update outbound_tx set reviewed_at = now() where id = any(${held})`)
}

/** A transaction's signer, nonce and first signed form. */
export interface Assignment {
  outboundId: string
  signer: Hex
  txNonce: number
  attempt: SignedAttempt
}

/** Assigns signer, nonce and first attempt to queued transactions, and advances the signers' nonces. */
export async function writeAssignments(
  transaction: CommonQueryMethods,
  assignments: readonly Assignment[],
  next: readonly { chainId: number; address: string; txNonce: number }[],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    with signed as (
      update outbound_tx set status = 'signed', signer = assigned.signer, tx_nonce = assigned.tx_nonce,
        reserved = assigned.reserved
      from ${sql.unnest(
        assignments.map(({ outboundId, signer, txNonce, attempt }) => [
          outboundId,
          signer,
          txNonce,
          attempt.reserved,
        ]),
        ['uuid', 'text', 'int8', 'numeric'],
      )} as assigned (id, signer, tx_nonce, reserved)
      where outbound_tx.id = assigned.id
    ), advanced as (
      update signer set next_tx_nonce = next.tx_nonce
      from ${sql.unnest(
        next.map(({ chainId, address, txNonce }) => [chainId, address, txNonce]),
        ['int8', 'text', 'int8'],
      )} as next (chain_id, address, tx_nonce)
      where signer.chain_id = next.chain_id and signer.address = next.address
    )
    ${insertingAttempts(assignments)}`)
}

/**
 * The insert of signed forms. A hash recurs when a refused transaction's nonce is freed and the same call claims it;
 * the row then moves to the newer transaction.
 */
export const insertingAttempts = (
  attempts: readonly { outboundId: string; attempt: SignedAttempt }[],
  condition = sql.fragment`true`,
) => sql.fragment`
    insert into outbound_attempt (hash, outbound_id, raw, max_fee_per_gas, max_priority_fee_per_gas)
    select * from ${sql.unnest(
      attempts.map(({ outboundId, attempt }) => [
        attempt.hash,
        outboundId,
        bytesOfHex(attempt.raw),
        attempt.maxFeePerGas,
        attempt.maxPriorityFeePerGas,
      ]),
      ['text', 'uuid', 'bytea', 'numeric', 'numeric'],
    )} as attempt
    where ${condition}
    on conflict (hash) do update
      set outbound_id = excluded.outbound_id, raw = excluded.raw, delivery = 'unknown', refusal = null,
        created_at = clock_timestamp()`

/** Adds another signed form to a transaction. */
export async function insertAttempt(
  transaction: CommonQueryMethods,
  outboundId: string,
  attempt: SignedAttempt,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`${insertingAttempts([{ outboundId, attempt }])}`)
}

/** Writes a transaction that already has signer, nonce and attempt; its nonce was assigned before. */
export async function insertSigned(
  transaction: CommonQueryMethods,
  outbound: NewOutbound,
  { signer, txNonce, attempt }: Omit<Assignment, 'outboundId'>,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`${queueing(outbound)}`)
  await writeAssignments(transaction, [{ outboundId: outbound.id, signer, txNonce, attempt }], [])
}

const loadRow = z.object({
  signer: hexText.nullable(),
  count: smallInteger,
  reserved: z.bigint(),
  hasGap: z.boolean(),
})
/**
 * Unfinished transactions of one signer; with a null signer, the queued ones. `reserved` is the most that the unmined
 * may cost, in wei. With `hasGap`, fewer are pending than nonces were assigned beyond the chain's count.
 */
export type SignerLoad = z.output<typeof loadRow>

/**
 * Counts a chain's unfinished transactions by signer.
 * @param counts The chain's transaction counts of signers; others never report a gap.
 */
export function countUnfinished(
  pool: CommonQueryMethods,
  chainId: number,
  counts: readonly { address: string; counted: number }[] = [],
): Promise<readonly SignerLoad[]> {
  return pool.any(sql.type(loadRow)`
    with chain as (
      select * from ${sql.unnest(
        counts.map(({ address, counted }) => [address, counted]),
        ['text', 'int8'],
      )} as chain (address, counted)
    ), load as (
      select signer, count(*) as count, count(*) filter (where tx_nonce >= counted) as waiting,
        coalesce(sum(reserved) filter (where mined_hash is null), 0) as reserved
      from outbound_tx left join chain on chain.address = signer
      where chain_id = ${chainId} and status in ('queued', 'signed', 'sent') group by signer
    ), line as (
      select address, next_tx_nonce - counted as handed_out from signer join chain using (address)
      where chain_id = ${chainId}
    )
    select coalesce(load.signer, line.address) as signer, coalesce(load.count, 0) as count,
      coalesce(load.reserved, 0) as reserved,
      coalesce(line.handed_out > coalesce(load.waiting, 0), false) as "hasGap"
    from load full join line on line.address = load.signer`)
}
