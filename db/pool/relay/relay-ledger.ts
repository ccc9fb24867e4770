import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

/**
 * Income and cost of one relay, from its receipt. `withdrawn` and `feeReceived` in the asset's smallest unit, the rest
 * in wei.
 */
export interface RelayBooking {
  withdrawn: bigint
  feeReceived: bigint
  gasSpent: bigint
  topUpSpent: bigint
  gasUsed: bigint
}

/** Outcome of a request. A relay that was never mined has neither hash nor booking; `error` is null unless it failed. */
export interface RelayEnd {
  requestId: string
  error: string | null
  txHash: string | null
  booking: RelayBooking | null
}

const endedRow = z.object({
  id: z.string(),
  chainId: z.bigint().transform(Number),
  /** Share that its gas counted towards while pending; null for none. */
  gasShare: z.enum(['relay', 'plain']).nullable(),
})
/** A request that this booking ended, with its gas share. */
export type EndedRelay = z.output<typeof endedRow>

/**
 * Moves requests to their final states and books their income and cost: one statement, all or none.
 * @throws Error when one of them is not pending; the ledger refuses a second booking as well.
 */
export async function endRelays(
  connection: CommonQueryMethods,
  ends: readonly RelayEnd[],
): Promise<readonly EndedRelay[]> {
  const ended = await connection.any(sql.type(endedRow)`
    with outcome as (
      select * from ${sql.unnest(
        ends.map(({ requestId, error, txHash, booking }) => [
          requestId,
          error,
          txHash,
          booking?.withdrawn ?? null,
          booking?.feeReceived ?? null,
          booking?.gasSpent ?? null,
          booking?.topUpSpent ?? null,
          booking?.gasUsed ?? null,
        ]),
        ['uuid', 'text', 'text', 'numeric', 'numeric', 'numeric', 'numeric', 'int8'],
      )} as outcome (request_id, error, hash, withdrawn, fee_received, gas_spent, top_up_spent, gas_used)
    ), ended as (
      update relay_request set status = case when outcome.error is null then 'confirmed' else 'failed' end,
        error = outcome.error, tx_hash = coalesce(outcome.hash, tx_hash), updated_at = now()
      from outcome where relay_request.id = outcome.request_id and status = 'broadcast'
      returning relay_request.id, chain_id, pool, asset, gas_share
    ), booked as (
      insert into relay_ledger (request_id, chain_id, pool, asset, withdrawn, fee_received, gas_spent, top_up_spent,
        gas_used, tx_hash, to_contract)
      select request_id, chain_id, pool, asset, withdrawn, fee_received, gas_spent, top_up_spent, gas_used, hash,
        coalesce(gas_share = 'relay', false)
      from outcome join ended on ended.id = outcome.request_id where gas_spent is not null
    )
    select id, chain_id as "chainId", gas_share as "gasShare" from ended`)
  const missing = ends.find(({ requestId }) => !ended.some(({ id }) => id === requestId))
  if (missing) throw new Error(`relay request ${missing.requestId} is not under way`)
  return ended
}

const sumRow = z.object({
  chainId: z.bigint().transform(Number),
  asset: z.string(),
  relays: z.bigint().transform(Number),
  withdrawn: z.bigint(),
  feeReceived: z.bigint(),
  gasSpent: z.bigint(),
  topUpSpent: z.bigint(),
})
/** The sums of one chain and asset; gas and top-ups in wei, the rest in the asset's smallest unit. */
export type LedgerSum = z.output<typeof sumRow>

/** Sums the ledger exactly, by chain and asset: totals of old bookings plus the rows since. */
export function sumLedger(connection: CommonQueryMethods): Promise<readonly LedgerSum[]> {
  return connection.any(sql.type(sumRow)`
    select chain_id as "chainId", asset, relays, withdrawn, fee_received as "feeReceived", gas_spent as "gasSpent",
      top_up_spent as "topUpSpent"
    from relay_sums() order by chain_id, asset`)
}

const gasRow = z.object({
  chainId: z.bigint().transform(Number),
  pool: z.string(),
  gasUsed: z.array(z.int().transform(BigInt)),
})

/** Ledger rows that show the cost of a relay: successful, to a recipient without code, without a top-up. */
const isSample = sql.fragment`withdrawn > 0 and top_up_spent = 0 and not to_contract`

/** Lists the gas used by each pool's newest relays, to recipients without code and without a top-up. */
export function listRelayGas(
  connection: CommonQueryMethods,
  limitPerPool: number,
): Promise<readonly z.output<typeof gasRow>[]> {
  return connection.any(sql.type(gasRow)`
    with recursive known as (
      (select chain_id, pool from relay_ledger where ${isSample} order by chain_id, pool limit 1)
      union all
      select later.* from known cross join lateral (
        select chain_id, pool from relay_ledger
        where ${isSample} and (chain_id, pool) > (known.chain_id, known.pool) order by chain_id, pool limit 1
      ) as later
    )
    select chain_id as "chainId", pool, newest.gas as "gasUsed" from known cross join lateral (
      select jsonb_agg(gas_used) as gas from (
        select gas_used from relay_ledger
        where chain_id = known.chain_id and pool = known.pool and ${isSample}
        order by booked_at desc limit ${limitPerPool}
      ) as sample
    ) as newest`)
}
