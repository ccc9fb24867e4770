import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'
import { ASP_DECISION } from '../pool/notes/account-deposits.ts'

/** How an account's erasure and export treat the table. */
export const poolRecoveryTable = byAccount('pool_recovery')

/** Key of a deposit. */
export interface DepositKey {
  chainId: number
  /** Checksummed. */
  pool: string
  label: bigint
}

/** True if an insert collided with another recovery of the same deposit. */
export const isRecoveryTaken = (error: unknown): boolean =>
  error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'pool_recovery_label'

/**
 * Writes the deposit that a quote recovers, in the transaction that writes the quote. No other quote can recover it
 * until the database sets `ended_at`, when the quote ends without recovery.
 * @throws UniqueIntegrityConstraintViolationError (see {@link isRecoveryTaken}).
 */
export async function insertRecovery(
  transaction: CommonQueryMethods,
  { quoteId, accountId }: { quoteId: string; accountId: string },
  { chainId, pool, label }: DepositKey,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into pool_recovery (quote_id, account_id, chain_id, pool, label)
    values (${quoteId}::uuid, ${accountId}::uuid, ${chainId}, ${pool}, ${label})`)
}

const live = z.object({ quoteId: z.string(), isDone: z.boolean() })

/** The account's quote that is recovering or has recovered a deposit, or null. */
export function findLiveRecovery(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, pool, label }: DepositKey,
): Promise<z.output<typeof live> | null> {
  return connection.maybeOne(sql.type(live)`
    select quote_id as "quoteId", quote.status = 'confirmed' as "isDone"
    from pool_recovery join quote on quote.id = quote_id
    where pool_recovery.account_id = ${accountId}::uuid and pool_recovery.chain_id = ${chainId} and pool = ${pool}
      and label = ${label} and pool_recovery.ended_at is null`)
}

const ownDeposit = z.object({
  chainId: smallInteger,
  pool: hexText,
  /** As the pools name it: 0xEeee… is the native coin. */
  asset: hexText,
  depositor: hexText,
  derivationNonce: smallInteger,
  /** Smallest unit. */
  value: z.bigint(),
  commitment: z.bigint(),
  isRecovered: z.boolean(),
})
/** A deposit by an address of the account, from the indexed chain. */
export type OwnDepositRow = z.output<typeof ownDeposit>

/** The account's deposit with a label; null where none of its addresses made one. */
export function findOwnDeposit(
  connection: CommonQueryMethods,
  accountId: string,
  label: bigint,
): Promise<OwnDepositRow | null> {
  return connection.maybeOne(sql.type(ownDeposit)`
    select own.chain_id as "chainId", own.pool, registered.asset, own.address as depositor,
      owner.derivation_nonce as "derivationNonce", deposit.value, deposit.commitment,
      own.standing = 'recovered' as "isRecovered"
    from account_deposit as own join stealth_address as owner using (address)
    join pool_event as deposit using (chain_id, block_hash, log_index)
    join lateral (
      select asset from pool_event
      where chain_id = own.chain_id and kind = 'pool-registered' and pool = own.pool limit 1
    ) as registered on true
    where own.account_id = ${accountId}::uuid and own.label = ${label}
    order by own.chain_id, own.pool limit 1`)
}

const converted = z.object({ label: z.bigint().nullable() })

/** Lists labels of the indexed deposits that a quote of the account made; null where it converts nothing. */
export async function listLabelsOfConversion(
  connection: CommonQueryMethods,
  accountId: string,
  quoteId: string,
): Promise<readonly bigint[] | null> {
  const rows = await connection.any(sql.type(converted)`
    select deposit.label from pool_conversion as conversion
    left join pool_event as deposit on deposit.precommitment = conversion.precommitment and deposit.kind = 'deposit'
      and deposit.chain_id = conversion.chain_id and deposit.contract = conversion.pool
      and deposit.account = conversion.address
    where conversion.quote_id = ${quoteId}::uuid and conversion.account_id = ${accountId}::uuid`)
  return rows.length === 0 ? null : rows.flatMap(({ label }) => label ?? [])
}

const traces = z.object({ isLeaf: z.boolean(), isSpent: z.boolean() })

/** Reads whether a pool has a leaf, and whether a withdrawal spent a nullifierHash, as far as the chain is indexed. */
export function readNoteTraces(
  connection: CommonQueryMethods,
  { chainId, pool }: Pick<DepositKey, 'chainId' | 'pool'>,
  { commitment, nullifierHash }: { commitment: bigint; nullifierHash: bigint },
): Promise<z.output<typeof traces>> {
  return connection.one(sql.type(traces)`
    select exists (
      select from pool_event where commitment = ${commitment} and chain_id = ${chainId} and contract = ${pool}
        and kind = 'leaf'
    ) as "isLeaf", exists (
      select from pool_event where nullifier_hash = ${nullifierHash} and chain_id = ${chainId} and contract = ${pool}
        and kind = 'withdrawal'
    ) as "isSpent"`)
}

const recovery = z.object({
  quoteId: z.string(),
  pool: hexText,
  label: z.bigint(),
  /** The ASP's decision about the deposit, in the terms of `pool/commitments`. */
  aspStatus: z.enum(['pending', 'approved', 'declined']),
})
/** A deposit that a quote recovers. */
export type RecoveryRow = z.output<typeof recovery>

/** Lists the deposits that the given quotes recover. */
export function listRecoveries(
  connection: CommonQueryMethods,
  quoteIds: readonly string[],
): Promise<readonly RecoveryRow[]> {
  return connection.any(sql.type(recovery)`
    select quote_id as "quoteId", recovery.pool, recovery.label, ${ASP_DECISION} as "aspStatus"
    from pool_recovery as recovery left join asp_review as review using (chain_id, pool, label)
    where quote_id = any(${sql.array([...quoteIds], 'uuid')})`)
}
