import type { CommonQueryMethods, FragmentSqlToken } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { hexText, smallInteger } from '../../column-types.ts'
import { keepRows } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const signerTable = keepRows('signer', 'addresses of the relayer')

interface SignerKey {
  chainId: number
  address: string
}

/** A signer with its duty. Each duty is shared out separately: an instance then lacks no kind. */
type DutifulSigner = SignerKey & { duty: string }

/** Locks the signers that meet a condition, by chain and address: one lock order rules out deadlock. */
const holding = (condition: FragmentSqlToken) => sql.fragment`
  select chain_id, address from signer where ${condition} order by chain_id, address for no key update`

const signerKeyRow = z.object({ chainId: smallInteger, address: hexText })

/** Inserts the missing rows of signers. */
export async function addSigners(pool: CommonQueryMethods, signers: readonly SignerKey[]): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    insert into signer (chain_id, address)
    select * from ${sql.unnest(
      signers.map(({ chainId, address }) => [chainId, address]),
      ['int8', 'text'],
    )} as wanted (chain_id, address)
    order by chain_id, address on conflict do nothing`)
}

const leasedRow = signerKeyRow.extend({ isHeld: z.boolean() })

/**
 * Records that `owner` is alive, and acquires, renews and releases leases so that it holds its share of the signers.
 * Live instances hold equal shares of each chain and duty, give or take one. Another's lease is acquired only after it
 * expires. Busy signers are kept and idle ones released. The signers must have rows ({@link addSigners}).
 * @returns The signers that `owner` now leases for `leaseMs`, and those that it released.
 */
export async function shareSigners(
  pool: CommonQueryMethods,
  owner: string,
  signers: readonly DutifulSigner[],
  leaseMs: number,
): Promise<readonly z.output<typeof leasedRow>[]> {
  const until = sql.fragment`now() + ${leaseMs} * interval '1 ms'`
  return pool.any(sql.type(leasedRow)`
    with wanted as (
      select * from ${sql.unnest(
        signers.map(({ chainId, address, duty }) => [chainId, address, duty]),
        ['int8', 'text', 'text'],
      )} as wanted (chain_id, address, duty)
    ), chain as (
      select chain_id, duty, count(*) as signers from wanted group by chain_id, duty
    ), gone as (
      delete from sending_instance where (chain_id, id) in (
        select chain_id, id from sending_instance where alive_until < now() for update skip locked)
    ), present as (
      insert into sending_instance (chain_id, id, alive_until)
      select distinct chain_id, ${owner}::uuid, ${until} from chain order by chain_id
      on conflict (chain_id, id) do update set alive_until = excluded.alive_until
    ), part as (
      select chain_id, duty, chain.signers / (others.count + 1)
        + case when others.before < chain.signers % (others.count + 1) then 1 else 0 end as size
      from chain cross join lateral (
        select count(*), count(*) filter (where id < ${owner}::uuid) as before from sending_instance
        where sending_instance.chain_id = chain.chain_id and id <> ${owner}::uuid and alive_until > now()
      ) others
    ), available as (
      select chain_id, address, duty, lease_owner is not distinct from ${owner}::uuid as mine, (
          select count(*) from outbound_tx
          where outbound_tx.chain_id = signer.chain_id and outbound_tx.signer = signer.address
            and status in ('signed', 'sent') and mined_hash is null
        ) as pending
      from signer join wanted using (chain_id, address)
      where lease_owner is null or lease_owner = ${owner}::uuid or lease_until < now()
      -- In the order of all who hold several, or they could wait for each other.
      order by chain_id, address for no key update of signer
    ), ranked as (
      select *, row_number() over (partition by chain_id, duty order by mine desc, pending desc, address) as place
      from available join part using (chain_id, duty)
    )
    update signer set lease_owner = case when place <= size then ${owner}::uuid end,
      lease_until = case when place <= size then ${until} end
    from ranked
    where signer.chain_id = ranked.chain_id and signer.address = ranked.address and (place <= size or mine)
    returning signer.chain_id as "chainId", signer.address, place <= size as "isHeld"`)
}

/** Releases all leases of an instance and removes it from the live ones. */
export async function releaseLeases(pool: CommonQueryMethods, owner: string): Promise<void> {
  await pool.query(sql.typeAlias('void')`
    with gone as (delete from sending_instance where id = ${owner}::uuid)
    update signer set lease_owner = null, lease_until = null
    where (chain_id, address) in (${holding(sql.fragment`lease_owner = ${owner}::uuid`)})`)
}

const freeSignerRow = z.object({
  address: hexText,
  nextTxNonce: smallInteger,
  pending: smallInteger,
  reserved: z.bigint(),
})
/** A leased signer; `pending` counts its unmined transactions, which may cost `reserved` wei at most. */
export type LockedSigner = z.output<typeof freeSignerRow>

/** Locks the signers of a chain that `owner` leases now and whose nonce is known, until the transaction ends. */
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

/** Locks one signer that `owner` leases, and returns its next nonce; null when the lease is lost. */
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

/** Reads the next nonces of a chain's signers; null where none is known yet. */
export async function readNextTxNonces(
  pool: CommonQueryMethods,
  chainId: number,
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await pool.any(sql.type(nextRow)`
    select address, next_tx_nonce as "nextTxNonce" from signer where chain_id = ${chainId}`)
  return new Map(rows.map(({ address, nextTxNonce }) => [address, nextTxNonce]))
}

/** Raises the next nonces to the chain's counts, for accounts that are new here or were used elsewhere. */
export async function raiseNextTxNonces(
  pool: CommonQueryMethods,
  chainId: number,
  counts: readonly { address: string; counted: number }[],
): Promise<void> {
  const addresses = counts.map(({ address }) => address)
  await pool.query(sql.typeAlias('void')`
    with held as materialized (
      ${holding(sql.fragment`chain_id = ${chainId} and address = any(${sql.array(addresses, 'text')})`)}
    )
    update signer set next_tx_nonce = chain.counted
    from held join ${unnestCounts(counts)} as chain (address, counted) on chain.address = held.address
    where signer.chain_id = ${chainId} and signer.address = chain.address
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
 * A nonce that was assigned, that the chain has not counted, and that belongs to no unfinished transaction.
 * `settledHash` is the newest settled transaction that once used it. With `isBelowOthers`, unfinished transactions wait
 * behind it.
 */
export type NonceGap = z.output<typeof gapRow>

/**
 * Lists the lowest gaps in the nonces of signers of `owner`, in nonce order.
 * @param limit Most gaps per signer.
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
