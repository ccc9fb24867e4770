import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const spentNote = z.object({
  nullifierHash: z.bigint(),
  /** Amount withdrawn from it, in the smallest unit. */
  withdrawn: z.bigint(),
  /** The commitment of the remainder. */
  newCommitment: z.bigint(),
  txHash: hexText,
  blockNumber: z.bigint(),
  spentAt: z.date(),
  /** Relay fee taken from it; null where no Entrypoint relayed it. */
  fee: z.bigint().nullable(),
})
/** A note that is spent on chain. */
export type SpentNote = z.output<typeof spentNote>

/** Lists the nullifier hashes that the pool has seen, as far as the chain is indexed. */
export function listSpentNotes(
  connection: CommonQueryMethods,
  { chainId, pool }: { chainId: number; pool: string },
  nullifierHashes: readonly bigint[],
): Promise<readonly SpentNote[]> {
  if (nullifierHashes.length === 0) return Promise.resolve([])
  return connection.any(sql.type(spentNote)`
    select nullifier_hash as "nullifierHash", value as withdrawn, commitment as "newCommitment", tx_hash as "txHash",
      block_number as "blockNumber", block_time as "spentAt", (
        select fee from pool_event as relay
        where relay.chain_id = withdrawal.chain_id and relay.tx_hash = withdrawal.tx_hash and relay.kind = 'relay'
          and relay.contract = withdrawal.account and relay.log_index > withdrawal.log_index
        order by relay.log_index limit 1
      ) as fee
    from pool_event as withdrawal
    where nullifier_hash = any(${sql.array(nullifierHashes.map(String), 'numeric')}::numeric[])
      and kind = 'withdrawal' and chain_id = ${chainId} and contract = ${pool}`)
}

/** Lists the nullifier hashes with a relay that is pending or was recently confirmed. */
export async function listRelayedNotes(
  connection: CommonQueryMethods,
  { chainId, pool }: { chainId: number; pool: string },
  nullifierHashes: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  if (nullifierHashes.length === 0) return new Set()
  return new Set(
    await connection.anyFirst(sql.type(z.object({ nullifierHash: z.bigint() }))`
      select nullifier_hash as "nullifierHash" from relay_request
      where chain_id = ${chainId} and pool = ${pool} and status <> 'failed'
        and nullifier_hash = any(${sql.array(nullifierHashes.map(String), 'numeric')}::numeric[])`),
  )
}

const publicDeposit = z.object({ label: z.bigint(), value: z.bigint() })

/** Reads the amounts of an account's deposits into a pool at deposit time, by label. */
export async function readOwnDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, pool }: { chainId: number; pool: string },
): Promise<ReadonlyMap<bigint, bigint>> {
  const rows = await connection.any(sql.type(publicDeposit)`
    select label, value from account_deposit
    where account_id = ${accountId}::uuid and chain_id = ${chainId} and pool = ${pool} and label is not null`)
  return new Map(rows.map(({ label, value }) => [label, value]))
}
