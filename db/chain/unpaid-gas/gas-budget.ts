import {
  CheckIntegrityConstraintViolationError,
  type CommonQueryMethods,
  type FragmentSqlToken,
} from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/**
 * Shares of the gas that may stay unpaid. Without `plain_`: transactions that run strangers' code, as relays or as
 * sends of new or proven accounts. With `plain_`: transactions that run none.
 */
export const gasShare = z.enum(['relay', 'new', 'proven', 'plain_relay', 'plain_new', 'plain_proven'])
/** A share of a chain's gas budget. */
export type GasShare = z.output<typeof gasShare>

/** Period in which losses count. */
const window = sql.fragment`interval '1 hour'`

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
  return connection.any(sql.type(sumRow)`
    select chain_id as "chainId", share, coalesce(sum(gas) filter (where is_lost), 0)::int8 as lost,
      coalesce(sum(gas) filter (where not is_lost), 0)::int8 as "atRisk"
    from unnest(${sql.array([...chainIds], 'int8')}) as chain_id cross join lateral unpaid_gas(chain_id)
    group by chain_id, share`)
}

const lossRow = z.object({
  share: gasShare,
  gas: z.bigint(),
  /** True if the given account lost it. */
  isOwn: z.boolean(),
  /** True if a new account of the given network lost it. */
  isOfNetwork: z.boolean(),
  contracts: z.array(z.string()),
  endsInSeconds: z.int(),
})
/** Gas that was lost within the last hour. */
export type GasLoss = z.output<typeof lossRow>

/** Lists the losses of the last hour, oldest first, with the seconds until each stops counting. */
export function listLosses(
  connection: CommonQueryMethods,
  chainId: number,
  { accountId, network }: { accountId: string | null; network: string | null },
): Promise<readonly GasLoss[]> {
  return connection.any(sql.type(lossRow)`
    select share, gas, contracts, coalesce(account_id = ${accountId}::uuid, false) as "isOwn",
      coalesce(network = ${network}::text, false) as "isOfNetwork",
      ceil(extract(epoch from lost_at + ${window} - now()))::int4 as "endsInSeconds"
    from gas_lost left join quote on quote.id = reference
    where gas_lost.chain_id = ${chainId} and lost_at > now() - ${window} order by lost_at`)
}

/** Gas of a transaction that may end up unpaid: that of a whole relay, or one quote's part of a batch. */
export interface GasLine {
  /** Id of the relay request, or of a send's quote. */
  reference: string
  /** For a send, the database decides whether its account is new or proven. */
  share: 'relay' | 'plain_relay' | 'send' | 'plain_send'
  /** Contracts of strangers that it runs. */
  contracts: readonly string[]
  gas: bigint
  /** Gas that the fee pays for; null where a success pays for all. */
  paidGas: bigint | null
}

/** The limits of a chain's gas; see the rules in `relayer/chain/unpaid-gas/budget-rules.ts`. */
export interface GasLimits {
  shares: readonly { of: readonly GasShare[]; most: bigint }[]
  account: { foreign: bigint; plain: bigint }
  /** Gas of all new accounts. One network's accounts may use half of what other networks leave of it. */
  network: { foreign: bigint; plain: bigint }
  contract: bigint
}

const asJson = (value: unknown) =>
  sql.fragment`${JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? Number(member) : member))}::jsonb`

/** Gas lines to be taken, and the limits. */
export interface GasAsk {
  chainId: number
  lines: readonly GasLine[]
  limits: GasLimits
  /** Confirmed payments that make an account a proven one. */
  provenAfter: number
}

/**
 * Takes the gas of a transaction in the statement that writes it. If not all of it fits, the statement throws an error
 * that {@link isGasRefused} recognises.
 */
export const takingGas = (
  outboundId: string,
  { chainId, lines, limits, provenAfter }: GasAsk,
): FragmentSqlToken =>
  sql.fragment`
    insert into gas_at_risk (outbound_id, chain_id, reference, share, contracts, gas, paid_gas, network)
    select ${outboundId}::uuid, ${chainId}, reference, share, contracts, gas, paid_gas, network
    from take_gas(${chainId}, ${asJson(lines)}, ${asJson(limits)}, ${provenAfter}::int4)`

/** True if the gas budget made a statement fail. */
export const isGasRefused = (error: unknown): boolean =>
  error instanceof CheckIntegrityConstraintViolationError && error.constraint === 'gas_budget'

/**
 * Lists the lines that fit one after the other; takes nothing.
 * @param onlyLosses Tests each line by itself against losses alone, as if nothing were pending.
 */
export function listFittingGas(
  connection: CommonQueryMethods,
  { chainId, lines, limits, provenAfter }: GasAsk,
  onlyLosses = false,
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ reference: z.string() }))`
    select reference from fitting_gas(${chainId}, ${asJson(lines)}, ${asJson(limits)}, ${provenAfter}::int4, ${onlyLosses})`)
}

/** Outcome of a relay's transaction. */
export interface RelayGasEnd {
  reference: string
  chainId: number
  share: GasShare
  /** From the receipt; null when it was never mined. */
  gasUsed: bigint | null
  isPaid: boolean
}

/**
 * Ends the risk of relays and books the losses. A failed relay loses all its gas, a successful one the gas beyond its
 * paid gas.
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
    insert into gas_lost (chain_id, share, gas, reference)
    select chain_id, share, gas, reference from (
      select reference, chain_id, share, case when is_paid then gas_used - coalesce(paid_gas, gas_used) else gas_used end as gas
      from ended left join freed using (reference)
    ) as lost where gas > 0`)
}

/** A finished batch of intents; `gasUsed` is null where it was never mined. */
export interface BatchGasEnd {
  outboundId: string
  chainId: number
  gasUsed: bigint | null
  paidIntentIds: readonly string[]
  unpaidIntentIds: readonly string[]
}

/**
 * Ends the risk of a batch and books its loss: its gas less the expected use of the paid intents. The loss is at least
 * the unpaid intents' share by number, and they split it. If their account was erased meanwhile, the loss has no
 * account.
 */
export async function bookBatchGasEnd(transaction: CommonQueryMethods, batch: BatchGasEnd): Promise<void> {
  const { paidIntentIds, unpaidIntentIds } = batch
  const [paid, unpaid] = [paidIntentIds.length, unpaidIntentIds.length]
  // Nothing is lost if all intents paid.
  const byNumber =
    batch.gasUsed === null || (paid > 0 && unpaid === 0)
      ? 0n
      : (batch.gasUsed * BigInt(unpaid || 1)) / BigInt((unpaid || 1) + paid)
  await transaction.query(sql.typeAlias('void')`
    with freed as (
      delete from gas_at_risk where outbound_id = ${batch.outboundId}::uuid returning reference, share, contracts, network
    ), lost as (
      select case when ${byNumber}::int8 = 0 then 0
        else greatest(${batch.gasUsed}::int8 - coalesce(sum(transaction_gas) * 4 / 5, 0), ${byNumber}::int8) end as gas
      from intent where id = any(${sql.array([...paidIntentIds], 'uuid')})
    ), unpaid as (
      select quote_id, count(*) as intents, sum(count(*)) over (order by quote_id) as up_to, sum(count(*)) over () as of_all
      from intent where id = any(${sql.array([...unpaidIntentIds], 'uuid')}) group by quote_id
      union all
      select null, 1, 1, 1 where ${unpaid} = 0
    )
    insert into gas_lost (chain_id, share, contracts, gas, reference, network)
    select ${batch.chainId}, coalesce(share, (select min(share) from freed), 'plain_new'), coalesce(contracts, '{}'), part, quote_id,
      network
    from unpaid left join freed on reference = quote_id cross join lost
    cross join lateral (select div(gas * up_to, of_all) - div(gas * (up_to - intents), of_all) as part) as parts
    where part > 0`)
}

/** Deletes losses that no longer count, and risks whose transaction is no longer pending. */
export async function purgeUnpaidGas(connection: CommonQueryMethods): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    with forgotten as (delete from gas_lost where lost_at < now() - 2 * ${window})
    delete from gas_at_risk where created_at < now() - interval '1 minute'
      and not exists (select from outbound_tx where id = outbound_id and status in ('queued', 'signed', 'sent'))`)
}
