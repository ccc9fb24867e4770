import type { DatabasePool } from 'slonik'
import { sql } from '../../db/connect-database.ts'

/** Rows of the outbox, as in a service that has run for a while. */
const OUTBOX_ROWS = 120_000
/** Rows of each other table: few enough to write quickly, enough that the planner avoids sequential scans. */
const ROWS = 15_000
/** Number of pending ones. */
const UNDER_WAY = 40

/** Tables that grow with every relay, send, account or received payment. */
export const LARGE_TABLES = [
  'account',
  'stealth_address',
  'holding',
  'locked_funds',
  'revoked_token',
  'idempotency_key',
  'outbound_tx',
  'outbound_attempt',
  'relay_request',
  'relay_ledger',
  'quote',
  'reservation',
  'intent',
  'intent_batch',
  'intent_batch_share',
  'intent_event',
] as const

const rows = sql.fragment`generate_series(1, ${ROWS}::int4) as n`
const outboxRows = sql.fragment`generate_series(${1 - OUTBOX_ROWS + ROWS}::int4, ${ROWS}::int4) as n`
/** A table's n-th id, and the n-th address. */
export const idOf = (table: string) => sql.fragment`md5(${table} || n)::uuid`
export const addressOf = sql.fragment`'0x' || md5('address' || n) || '00000000'`
const isUnderWay = sql.fragment`n > ${ROWS - UNDER_WAY}::int4`

const STATEMENTS = [
  sql.fragment`insert into account (id, auth_address, sealed_keys, master_key_id)
    select ${idOf('account')}, ${addressOf}, '', 'key' from ${rows}`,
  sql.fragment`insert into stealth_address (address, account_id, derivation_nonce)
    select ${addressOf}, ${idOf('account')}, 0 from ${rows}`,
  sql.fragment`insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash,
      owner_account_id)
    select 1, ${addressOf}, 'erc20', 'token', n, false, n, '0x00', ${idOf('account')} from ${rows}`,
  sql.fragment`insert into locked_funds (chain_id, address, token, amount, ceiling)
    select 1, ${addressOf}, 'token', 0, n from ${rows}`,
  sql.fragment`insert into revoked_token (token_id, expires_at)
    select 'token' || n, now() + interval '1 hour' from ${rows}`,
  sql.fragment`insert into idempotency_key (account_id, operation, key_hash, input_hash, claim_id, claimed_until,
      answer, expires_at)
    select ${idOf('account')}, 'submit', sha256(n::text::bytea), sha256(''), ${idOf('claim')}, now(), '{}',
      now() + n * interval '1 s' from ${rows}`,
  sql.fragment`insert into outbound_tx (id, chain_id, kind, reference, to_address, value, gas_limit, data, status,
      signer, tx_nonce, settled_at)
    select ${idOf('outbound')}, 1, case when n % 2 = 0 then 'relay' else 'intents' end, ${idOf('request')}::text, 'to', 0,
      21000, case when ${isUnderWay} then '\\x01'::bytea end,
      case when not ${isUnderWay} then 'confirmed' when n % 2 = 0 then 'queued' else 'sent' end,
      case when not ${isUnderWay} or n % 2 = 1 then 'signer' || abs(n) % 4 end,
      case when not ${isUnderWay} or n % 2 = 1 then n + ${OUTBOX_ROWS}::int4 end,
      case when not ${isUnderWay} then now() end
    from ${outboxRows}`,
  sql.fragment`insert into outbound_attempt (hash, outbound_id, max_fee_per_gas, max_priority_fee_per_gas, delivery)
    select 'hash' || n, ${idOf('outbound')}, 1, 1, 'accepted' from ${outboxRows}`,
  sql.fragment`insert into relay_request (id, chain_id, pool, asset, nullifier_hash, context, withdrawn, status,
      outbound_id)
    select ${idOf('request')}, 1, 'pool', 'asset', n, n, 1, 'confirmed', ${idOf('outbound')} from ${rows}`,
  sql.fragment`insert into relay_ledger (request_id, chain_id, pool, asset, withdrawn, fee_received, gas_spent,
      top_up_spent, gas_used, tx_hash)
    select ${idOf('request')}, 1, 'pool', 'asset', 1, 1, 1, 0, 1, 'hash' || n from ${rows}`,
  sql.fragment`insert into quote (id, account_id, kind, status, chain_id, token, amount, recipient, terms, network_fee,
      service_fee, fee_waived, gas_cost, expires_at, submitted_at, ended_at)
    select ${idOf('quote')}, ${idOf('account')}, 'send',
      case when not ${isUnderWay} then 'confirmed' when n % 2 = 0 then 'locked' else 'submitted' end,
      1, 'token', 1, ${addressOf}, '{}', 0, 0, false, 0, now() + interval '1 hour', now(),
      case when not ${isUnderWay} then now() end
    from ${rows}`,
  sql.fragment`insert into reservation (quote_id, chain_id, address, token, amount, released_at)
    select ${idOf('quote')}, 1, ${addressOf}, 'token', 1, case when not ${isUnderWay} then now() end from ${rows}`,
  sql.fragment`insert into intent_batch (id, chain_id, outbound_id)
    select ${idOf('batch')}, 1, ${idOf('outbound')} from ${rows}`,
  sql.fragment`insert into intent_batch_share (batch_id, account_id, quote_id)
    select ${idOf('batch')}, ${idOf('account')}, ${idOf('quote')} from ${rows}`,
  sql.fragment`insert into intent (id, quote_id, place, chain_id, eoa, intent_nonce, combined_gas, transaction_gas,
      account_id, expires_at, from_block, batch_id, status, ended_at, encoded)
    select ${idOf('intent')}, ${idOf('quote')}, 0, 1, ${addressOf}, n, 1, 1, ${idOf('account')}, now(), 0,
      case when not ${isUnderWay} or n % 2 = 1 then ${idOf('batch')} end,
      case when not ${isUnderWay} then 'succeeded' when n % 2 = 1 then 'batched' else 'queued' end,
      case when not ${isUnderWay} then now() end, case when ${isUnderWay} then '\\x01'::bytea end
    from ${rows}`,
  sql.fragment`insert into intent_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash,
      orchestrator, eoa, intent_nonce, incremented, err)
    select 1, 'block' || n, 0, n, now(), 'hash' || n, 'orchestrator', ${addressOf}, n, true, '0x00000000' from ${rows}`,
  sql.fragment`insert into signer (chain_id, address, lease_owner, lease_until, next_tx_nonce)
    select 1, 'signer' || n, md5('owner')::uuid, now() + interval '1 hour', ${OUTBOX_ROWS + ROWS + 1}::int8 from generate_series(0, 3) as n`,
]

/** Fills the tables that relays and sends use, one statement each; the last few rows of each table are pending. */
export async function seedMoneyPath(database: DatabasePool): Promise<void> {
  await database.transaction(async (transaction) => {
    // Without foreign keys and triggers: the rows are consistent, and nothing reads the tables that triggers maintain.
    await transaction.query(sql.typeAlias('void')`set local session_replication_role = replica`)
    await transaction.query(sql.typeAlias('void')`set local synchronous_commit = off`)
    for (const statement of STATEMENTS) await transaction.query(sql.typeAlias('void')`${statement}`)
  })
  await database.query(sql.typeAlias('void')`analyze`)
}
