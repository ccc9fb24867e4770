import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/**
 * Who makes the gas fail to be paid: relays to contracts, sends to contracts of accounts that are new or proven, and
 * `plain` for recipients that had no code when they were accepted.
 */
export const gasShare = z.enum(['relay', 'new', 'proven', 'plain'])
/** A share of a chain's gas budget. */
export type GasShare = z.output<typeof gasShare>

/** Losses count for so long. */
const window = sql.fragment`interval '1 hour'`

/** Locks the gas budget of a chain until the transaction ends. */
export async function lockGasBudget(transaction: CommonQueryMethods, chainId: number): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended(${`gas budget of chain ${chainId}`}, 0))`)
}

const sumRow = z.object({
  chainId: smallInteger,
  share: gasShare,
  lost: z.bigint(),
  atRisk: z.bigint(),
})
/** Gas units of one chain and share: lost within the last hour, and at risk now. */
export type UnpaidGasRow = z.output<typeof sumRow>

/** Gas lost within the last hour and gas at risk now, by chain and share. */
export function sumUnpaidGas(
  connection: CommonQueryMethods,
  chainIds: readonly number[],
): Promise<readonly UnpaidGasRow[]> {
  const ids = sql.array([...chainIds], 'int8')
  return connection.any(sql.type(sumRow)`
    select chain_id as "chainId", share, sum(lost)::int8 as lost, sum(at_risk)::int8 as "atRisk"
    from (
      select chain_id, share, gas as lost, 0 as at_risk from gas_lost
      where chain_id = any(${ids}) and lost_at > now() - ${window}
      union all
      select chain_id, share, 0, gas from gas_at_risk where chain_id = any(${ids})
    ) as unpaid group by chain_id, share`)
}

const lossRow = z.object({ share: gasShare, gas: z.bigint(), endsInSeconds: z.int() })

/** The losses of the last hour, the oldest first, and in how many seconds each stops counting. */
export function listLosses(
  connection: CommonQueryMethods,
  chainId: number,
): Promise<readonly z.output<typeof lossRow>[]> {
  return connection.any(sql.type(lossRow)`
    select share, gas, ceil(extract(epoch from lost_at + ${window} - now()))::int4 as "endsInSeconds"
    from gas_lost where chain_id = ${chainId} and lost_at > now() - ${window} order by lost_at`)
}

/** Gas of a transaction under way that may end up unpaid. */
export interface GasAtRisk {
  /** The relay request, or the quote of a send. */
  reference: string
  chainId: number
  share: GasShare
  /** Gas limit of the transaction. */
  gas: bigint
  /** Gas that the fee pays for; null where a success pays for all. */
  paidGas: bigint | null
}

/**
 * Reserves gas of the chain's budget. The budget must be locked, and the caller has checked that there is room.
 */
export async function insertGasAtRisk(transaction: CommonQueryMethods, risk: GasAtRisk): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into gas_at_risk (reference, chain_id, share, gas, paid_gas)
    values (${risk.reference}, ${risk.chainId}, ${risk.share}, ${risk.gas}, ${risk.paidGas})`)
}

/** How the transaction of a relay ended. */
export interface RelayGasEnd {
  reference: string
  chainId: number
  share: GasShare
  /** From the receipt; null when it was never mined. */
  gasUsed: bigint | null
  isPaid: boolean
}

/**
 * Ends the risk of relays and books the losses: all gas of a relay that failed, and what exceeds the paid gas of one
 * that succeeded.
 */
export async function bookRelayGas(
  transaction: CommonQueryMethods,
  ends: readonly RelayGasEnd[],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    with ended as (
      select * from ${sql.unnest(
        ends.map(({ reference, chainId, share, gasUsed, isPaid }) => [
          reference,
          chainId,
          share,
          gasUsed,
          isPaid,
        ]),
        ['uuid', 'int8', 'text', 'int8', 'bool'],
      )} as ended (reference, chain_id, share, gas_used, is_paid)
    ), freed as (
      delete from gas_at_risk using ended where gas_at_risk.reference = ended.reference
      returning gas_at_risk.reference, paid_gas
    )
    insert into gas_lost (chain_id, share, gas)
    select chain_id, share, gas from (
      select chain_id, share, case when is_paid then gas_used - coalesce(paid_gas, gas_used) else gas_used end as gas
      from ended left join freed using (reference)
    ) as lost where gas > 0`)
}

/** A mined batch of intents of which some paid nothing. */
export interface UnpaidBatch {
  chainId: number
  gasUsed: bigint
  paidIntentIds: readonly string[]
  unpaidIntentIds: readonly string[]
}

/**
 * Notes what a batch lost: its gas less what those that paid were expected to use, at least the unpaid ones' part by their
 * number. The quotes of the unpaid are at no further risk: those to contracts are not sent again. Of a quote whose intents
 * go alone, the others still are.
 */
export async function bookUnpaidBatch(transaction: CommonQueryMethods, batch: UnpaidBatch): Promise<void> {
  const unpaid = batch.unpaidIntentIds.length
  const byNumber = (batch.gasUsed * BigInt(unpaid)) / BigInt(unpaid + batch.paidIntentIds.length)
  await transaction.query(sql.typeAlias('void')`
    with freed as (
      update gas_at_risk set gas = case when alone then gas * under_way / (under_way + 1) else 0 end
      from intent cross join lateral (
        select count(*) as under_way from intent as other
        where other.quote_id = intent.quote_id and other.status in ('queued', 'batched') and other.id <> intent.id
      ) as rest where intent.id = any(${sql.array([...batch.unpaidIntentIds], 'uuid')})
        and reference = intent.quote_id
      returning share
    )
    insert into gas_lost (chain_id, share, gas)
    select ${batch.chainId}, coalesce((select min(share) from freed), 'plain'),
      greatest(${batch.gasUsed}::int8 - coalesce(sum(transaction_gas) * 4 / 5, 0), ${byNumber}::int8)
    from intent where id = any(${sql.array([...batch.paidIntentIds], 'uuid')})`)
}

/** Deletes losses that no longer count, and risks whose transaction is no longer under way. */
export async function purgeUnpaidGas(connection: CommonQueryMethods): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    with forgotten as (delete from gas_lost where lost_at < now() - 2 * ${window})
    delete from gas_at_risk where created_at < now() - interval '1 minute'
      and not exists (select from relay_request where id = reference and status = 'broadcast')
      and not exists (select from quote where id = reference and status = 'submitted')`)
}
