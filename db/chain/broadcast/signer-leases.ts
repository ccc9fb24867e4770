import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { hexText, smallInteger } from '../../column-types.ts'
import { keepRows } from '../../account-table.ts'

/** What an account's erasure and export make of it. */
export const signerTable = keepRows('signer', 'addresses of the relayer')

interface SignerKey {
  chainId: number
  address: string
}

const unnest = (signers: readonly SignerKey[]) =>
  sql.unnest(
    signers.map(({ chainId, address }) => [chainId, address]),
    ['int8', 'text'],
  )

const signerKeyRow = z.object({ chainId: smallInteger, address: hexText })

/**
 * Takes or renews the leases of those signers that are ours, free, or whose lease has run out.
 * @returns The signers that `owner` holds now, for `leaseMs` from now.
 */
export async function leaseSigners(
  pool: CommonQueryMethods,
  owner: string,
  signers: readonly SignerKey[],
  leaseMs: number,
): Promise<readonly z.output<typeof signerKeyRow>[]> {
  return pool.any(sql.type(signerKeyRow)`
    insert into signer (chain_id, address, lease_owner, lease_until)
    select chain_id, address, ${owner}::uuid, now() + ${leaseMs} * interval '1 ms'
    from ${unnest(signers)} as wanted (chain_id, address)
    order by chain_id, address
    on conflict (chain_id, address) do update
      set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
      where signer.lease_owner is null or signer.lease_owner = excluded.lease_owner or signer.lease_until < now()
    returning chain_id as "chainId", address`)
}

/** Gives up all leases of an instance. */
export async function releaseLeases(pool: CommonQueryMethods, owner: string): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    update signer set lease_owner = null, lease_until = null where lease_owner = ${owner}::uuid`)
}

const freeSignerRow = z.object({
  address: hexText,
  nextTxNonce: smallInteger,
  pending: smallInteger,
  reserved: z.bigint(),
})
/** A leased signer; `pending` counts its unmined transactions, `reserved` is what they may cost at most, in wei. */
export type LockedSigner = z.output<typeof freeSignerRow>

/** Locks the signers of a chain that `owner` holds at this moment and whose nonce is known, until the transaction ends. */
export function lockLeasedSigners(
  transaction: CommonQueryMethods,
  chainId: number,
  owner: string,
): Promise<readonly LockedSigner[]> {
  return transaction.any(sql.type(freeSignerRow)`
    select signer.address, signer.next_tx_nonce as "nextTxNonce", load.pending, load.reserved
    from signer cross join lateral (
      select count(*) as pending, coalesce(sum(reserved), 0) as reserved from outbound_tx
      where chain_id = signer.chain_id and outbound_tx.signer = signer.address
        and status in ('signed', 'sent') and mined_hash is null
    ) load
    where signer.chain_id = ${chainId} and lease_owner = ${owner}::uuid and lease_until > now()
      and next_tx_nonce is not null
    order by signer.address
    for no key update of signer`)
}

/** Locks one signer that `owner` holds and gives its next nonce; null when it is not ours any more. */
export async function lockSigner(
  transaction: CommonQueryMethods,
  signer: SignerKey,
  owner: string,
): Promise<number | null> {
  const row = await transaction.maybeOne(sql.type(z.object({ nextTxNonce: smallInteger }))`
    select next_tx_nonce as "nextTxNonce" from signer
    where chain_id = ${signer.chainId} and address = ${signer.address} and lease_owner = ${owner}::uuid
      and lease_until > now() and next_tx_nonce is not null
    for no key update`)
  return row?.nextTxNonce ?? null
}

/** Sets the next nonce of a signer. The caller holds its lease and has locked its row. */
export async function setNextTxNonce(
  transaction: CommonQueryMethods,
  signer: SignerKey,
  txNonce: number,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update signer set next_tx_nonce = ${txNonce}
    where chain_id = ${signer.chainId} and address = ${signer.address}`)
}

const nextRow = z.object({ address: z.string(), nextTxNonce: smallInteger.nullable() })

/** The next nonces of a chain's signers; null where none is known yet. */
export async function readNextTxNonces(
  pool: CommonQueryMethods,
  chainId: number,
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await pool.any(sql.type(nextRow)`
    select address, next_tx_nonce as "nextTxNonce" from signer where chain_id = ${chainId}`)
  return new Map(rows.map(({ address, nextTxNonce }) => [address, nextTxNonce]))
}

/** Raises the next nonces to what the chain has counted, for accounts that are new here or were used elsewhere. */
export async function raiseNextTxNonces(
  pool: CommonQueryMethods,
  chainId: number,
  counts: readonly { address: string; counted: number }[],
): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    update signer set next_tx_nonce = chain.counted
    from ${unnestCounts(counts)} as chain (address, counted)
    where chain_id = ${chainId} and signer.address = chain.address
      and (next_tx_nonce is null or next_tx_nonce < chain.counted)`)
}

const unnestCounts = (counts: readonly { address: string; counted: number }[]) =>
  sql.unnest(
    counts.map(({ address, counted }) => [address, counted]),
    ['text', 'int8'],
  )

const gapRow = z.object({
  address: hexText,
  txNonce: smallInteger,
  settledHash: hexText.nullable(),
  isBelowOthers: z.boolean(),
})
/**
 * A nonce that was handed out, that the chain has not counted, and that belongs to no unfinished transaction.
 * `settledHash`: the newest settled transaction that once used it. `isBelowOthers`: unfinished transactions wait behind it.
 */
export type NonceGap = z.output<typeof gapRow>

/**
 * The lowest gaps in the nonces of signers of `owner`, in nonce order.
 * @param limit For each signer.
 */
export function findNonceGaps(
  pool: CommonQueryMethods,
  chainId: number,
  owner: string,
  counts: readonly { address: string; counted: number }[],
  limit: number,
): Promise<readonly NonceGap[]> {
  return pool.any(sql.type(gapRow)`
    select signer.address, gap.tx_nonce as "txNonce", gap.tx_nonce < line.ends as "isBelowOthers", (
        select mined_hash from outbound_tx
        where chain_id = signer.chain_id and outbound_tx.signer = signer.address and tx_nonce = gap.tx_nonce
          and status in ('confirmed', 'reverted')
        order by position desc limit 1
      ) as "settledHash"
    from signer join ${unnestCounts(counts)} as chain (address, counted) on chain.address = signer.address
    cross join lateral (
      select coalesce(max(tx_nonce), -1) as ends from outbound_tx
      where chain_id = signer.chain_id and outbound_tx.signer = signer.address and status in ('signed', 'sent')
    ) line
    cross join lateral (
      select tx_nonce from generate_series(chain.counted, next_tx_nonce - 1) as handed_out (tx_nonce)
      where not exists (
        select from outbound_tx where chain_id = signer.chain_id and outbound_tx.signer = signer.address
          and outbound_tx.tx_nonce = handed_out.tx_nonce and status in ('signed', 'sent'))
      order by tx_nonce limit ${limit}
    ) gap
    where signer.chain_id = ${chainId} and lease_owner = ${owner}::uuid and next_tx_nonce > chain.counted
    order by signer.address, gap.tx_nonce`)
}
