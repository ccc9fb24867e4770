import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { act, selectActs } from '../../chain/indexer/own-acts.ts'

const amount = z.string().transform(BigInt)

const fact = z.discriminatedUnion('kind', [
  /**
   * relay: an Entrypoint, the `contract`, paid `value` less `fee` of an asset, named as the pools do. withdrawal: a
   * pool, the `contract`, paid an `account`.
   */
  z.object({
    kind: z.enum(['relay', 'withdrawal']),
    contract: hexText,
    account: hexText.nullable(),
    asset: hexText.nullable(),
    value: amount.nullable(),
    fee: amount.nullable(),
    logIndex: z.int(),
  }),
  /** A depositor recovered a deposit that `depositedBy` had made; null where that is not indexed. */
  z.object({ kind: z.literal('ragequit'), account: hexText, depositedBy: hexText.nullable() }),
  /** An address of the account sent it, or signed an intent that it executed. */
  z.object({ kind: z.literal('acted'), act }),
  /** It paid an address of the account before the service issued it, when no payer could know the address. */
  z.object({ kind: z.literal('early'), to: hexText }),
  /** An order of the account departed in it. */
  z.object({ kind: z.literal('departed'), orderId: z.string() }),
  /** In it, an order of the account was delivered at this address or refunded to it. */
  z.object({ kind: z.literal('delivered'), orderId: z.string(), to: hexText }),
])
/** A fact about a transaction besides its transfers. */
export type TransactionFact = z.output<typeof fact>

const toldFact = z.object({ chainId: z.int(), txHash: hexText, fact })
/** A fact with its transaction. */
export type ToldFact = z.output<typeof toldFact>

/** Parses one fact; facts are sorted by chain and transaction. */
export const parseTransactionFact = (row: unknown): ToldFact => toldFact.parse(row)

/** Most transfers to an address that are checked for predating its issue. */
const MOST_EARLY = 5_000

/**
 * Selects the acts of the account's pools, quotes and orders in the transactions of `wanted (chain_id, tx_hash)`, as
 * one JSON array; `found` holds the addresses.
 */
export const selectTransactionFacts = (accountId: string) => sql.fragment`
  select coalesce(jsonb_agg(jsonb_build_object('chainId', chain_id, 'txHash', tx_hash, 'fact', fact)
    order by chain_id, tx_hash, log_index), '[]')
  from (
  select wanted.chain_id, wanted.tx_hash, log_index, jsonb_build_object('kind', kind, 'contract', contract,
      'account', account, 'asset', asset, 'value', value::text, 'fee', fee::text, 'logIndex', log_index,
      'depositedBy', (
        select deposit.tx_hash from pool_event as deposit where event.kind = 'ragequit' and deposit.kind = 'deposit'
          and deposit.label = event.label and deposit.chain_id = event.chain_id
          and deposit.contract = event.contract limit 1)) as fact
    from wanted cross join lateral (
      select * from pool_event where pool_event.chain_id = wanted.chain_id and pool_event.tx_hash = wanted.tx_hash offset 0
    ) as event
    where kind in ('relay', 'withdrawal', 'ragequit')
    union all
    select chain_id, tx_hash, 0, jsonb_build_object('kind', 'acted', 'act', act)
    from (${selectActs(accountId)}) as acted
    union all
    select distinct early.chain_id, early.tx_hash, 0, jsonb_build_object('kind', 'early', 'to', own.address)
    from found cross join unnest(found.addresses) as one (address)
    cross join lateral (select * from stealth_address where stealth_address.address = one.address offset 0) as own
    cross join lateral (select * from watched_address where watched_address.address = own.address offset 0) as watched
    cross join lateral (
      select chain_id, tx_hash from transfer
      where to_address = own.address and transfer.chain_id = watched.chain_id and block_number < watched.live_from
        and (block_number <= watched.early_to or block_time < date_trunc('second', own.created_at))
        and tx_hash is not null
      order by transfer.chain_id, block_number desc limit ${MOST_EARLY}
    ) as early
    where own.account_id = ${accountId}::uuid and own.generation_context is not null
    union all
    select wanted.chain_id, wanted.tx_hash, 0,
      jsonb_build_object('kind', told.kind, 'orderId', quote_id, 'to', told.payee)
    from bridge_order cross join lateral (values
      ('departed', origin_chain_id, deposit_tx, null),
      ('delivered', destination_chain_id, fill_tx, output_recipient),
      ('delivered', origin_chain_id, refund_tx, depositor)) as told (kind, chain_id, tx_hash, payee)
    join wanted on wanted.chain_id = told.chain_id and wanted.tx_hash = told.tx_hash
    where bridge_order.account_id = ${accountId}::uuid
  ) as facts`
