import { createHash } from 'node:crypto'

/** The id of a row of some kind, by the version that wrote it. */
export function idOf(kind: string, version: number): string {
  const hex = createHash('md5').update(`${kind} ${version}`).digest('hex')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

/** Addresses and hashes of a version, distinguished by their first digits. */
export const addressOf = (version: number, first = 'a') => `0x${first}${String(version).padStart(39, '0')}`
export const hashOf = (version: number) => `0x${String(version).padStart(64, '0')}`

export const TOKEN = addressOf(0, 'f')
/** The time in all rows of every version. */
export const WRITTEN_AT = '2026-01-02T03:04:05.678Z'

/** The version of a database without a migration; each migration adds its number. Amounts in rows are made from it. */
export const BASELINE = 1_000

/** Rows of one table as written by versions from `since` on. */
interface TableRows {
  since: number
  /** @param version Number of the newest migration then; it makes the rows differ from those of other versions. */
  insert: (version: number) => string
}

const at = `'${WRITTEN_AT}'`
const bytes = (version: number, length = 4) => `'\\x${String(version).padStart(length * 2, '0')}'`
const own = (version: number) => `'${idOf('account', version)}', '${addressOf(version)}'`

/** Ordered so that references exist when they are needed. */
const TABLES: readonly TableRows[] = [
  {
    since: BASELINE,
    insert: (v) =>
      `insert into account (id, auth_address, sealed_keys, master_key_id, next_derivation_nonce, created_at)
      values ('${idOf('account', v)}', '${addressOf(v, 'b')}', ${bytes(v)}, 'master', ${v}, ${at}),
        ('${idOf('friend', v)}', '${addressOf(v, 'c')}', ${bytes(v)}, 'master', 0, ${at})`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into stealth_address (address, account_id, derivation_nonce, generation_context, created_at)
      values ('${addressOf(v)}', '${idOf('account', v)}', 0, 'external', ${at})`,
  },
  {
    since: BASELINE,
    insert: (v) =>
      `insert into signer (chain_id, address, next_tx_nonce) values (${v}, '${addressOf(v, 'd')}', ${v})`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into outbound_tx (id, chain_id, kind, reference, to_address, data, value, gas_limit, status,
        signer, tx_nonce)
      values ('${idOf('outbound', v)}', ${v}, 'relay', '${idOf('request', v)}', '${addressOf(v, 'e')}', ${bytes(v)}, ${v},
        21000, 'sent', '${addressOf(v, 'd')}', ${v})`,
  },
  {
    since: BASELINE,
    insert: (v) =>
      `insert into outbound_attempt (hash, outbound_id, raw, max_fee_per_gas, max_priority_fee_per_gas, delivery)
      values ('${hashOf(v)}', '${idOf('outbound', v)}', ${bytes(v)}, ${v + 1}, 1, 'accepted')`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into relay_request (id, chain_id, pool, asset, nullifier_hash, context, withdrawn, status,
        tx_hash, outbound_id)
      values ('${idOf('request', v)}', ${v}, '${addressOf(v, 'e')}', '${TOKEN}', ${v}, 1, ${v}, 'confirmed',
        '${hashOf(v)}', '${idOf('outbound', v)}')`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into relay_ledger (request_id, chain_id, pool, asset, withdrawn, fee_received, gas_spent,
        top_up_spent, gas_used, tx_hash)
      values ('${idOf('request', v)}', ${v}, '${addressOf(v, 'e')}', '${TOKEN}', ${v}, 3, 2, 1, ${v}, '${hashOf(v)}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into server_key (id, purpose, sealed_key, master_key_id, retired_at)
      values ('key ${v}', 'token', ${bytes(v)}, 'master', now())`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into revoked_token (token_id, expires_at) values ('token ${v}', '2999-01-01')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into api_key (id, secret_hash, account_id, label, scopes, created_at)
      values ('api ${v}', ${bytes(v, 32)}, '${idOf('account', v)}', 'label ${v}', array['read'], ${at})`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into contact_email (account_id, sealed_email, master_key_id)
      values ('${idOf('account', v)}', ${bytes(v)}, 'master')`,
  },
  {
    since: BASELINE,
    insert: (v) =>
      `insert into dismissed_prompt (account_id, prompt_id) values ('${idOf('account', v)}', 'prompt ${v}')`,
  },
  {
    since: BASELINE,
    insert: (v) =>
      `insert into dapp_use (account_id, address, origin) values (${own(v)}, 'https://${v}.example')`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into idempotency_key (account_id, operation, key_hash, input_hash, claim_id, claimed_until,
        answer, expires_at)
      values ('${idOf('account', v)}', 'issueAddress', ${bytes(v, 32)}, ${bytes(v, 32)}, '${idOf('claim', v)}', now(),
        'answer ${v}', now() + interval '1 day')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into account_token (account_id, chain_id, address)
      values ('${idOf('account', v)}', ${v}, '${TOKEN}')`,
  },
  {
    since: BASELINE,
    insert: (v) =>
      `insert into account_feature (account_id, feature) values ('${idOf('account', v)}', 'feature ${v}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into token_price (chain_id, address, usd, source, observed_at)
      values (${v}, '${TOKEN}', ${v}, 'fixed', ${at})`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into indexed_chain (chain_id, start_block, block_number, block_hash, state)
      values (${v}, 1, ${v}, '${hashOf(v)}', 'live')`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash,
        standard, token, from_address, to_address, amount)
      values (${v}, '${hashOf(v)}', 'log', 0, ${v}, ${at}, '${hashOf(v)}', 'erc20', '${TOKEN}', '${addressOf(v, 'e')}',
        '${addressOf(v)}', ${v})`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into indexed_tx (chain_id, tx_hash, block_hash, block_number, block_time, tx_index,
        from_address, tx_nonce, value, succeeded, gas_used, fee)
      values (${v}, '${hashOf(v)}', '${hashOf(v)}', ${v}, ${at}, 0, '${addressOf(v, 'e')}', 1, 0, true, 21000, ${v})`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
      values ('${addressOf(v)}', ${v}, '${hashOf(v)}', ${v}, ${at}, 0)`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind,
        contract, pool, asset, account, value, label)
      values
        (${v}, '${hashOf(v)}', 0, ${v}, ${at}, '${hashOf(v)}', 'pool-registered', '${addressOf(v, 'd')}',
          '${addressOf(v, 'e')}', '${TOKEN}', null, null, null),
        (${v}, '${hashOf(v)}', 1, ${v}, ${at}, '${hashOf(v)}', 'deposit', '${addressOf(v, 'e')}', null, null,
          '${addressOf(v)}', ${v}, ${v})`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
      values (${v}, '${addressOf(v)}', 'erc20', '${TOKEN}', ${v + 1_000}, false, ${v}, '${hashOf(v)}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into locked_funds (chain_id, address, token, amount, ceiling)
      values (${v}, '${addressOf(v)}', '${TOKEN}', ${v}, ${v + 1_000})`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into asp_review (chain_id, pool, label, status)
      values (${v}, '${addressOf(v, 'e')}', ${v}, 'approved')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into asp_set (chain_id, position, label) values (${v}, 0, ${v})`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into asp_set_state (chain_id, root, size, frontier, lineage)
      values (${v}, ${v}, 1, array[${v}], '${idOf('lineage', v)}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into subdomain (name, account_id) values ('name-${v}', '${idOf('account', v)}')`,
  },
  {
    since: BASELINE,
    insert: (v) =>
      `insert into referral_profile (account_id, code) values ('${idOf('account', v)}', 'CODE${v}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into referral_attribution (id, account_id, referrer_account_id, referrer_share_bps,
        referred_discount_bps, minimum_reward_usd_cents, earning_starts_at, earning_ends_at)
      values ('${idOf('attribution', v)}', '${idOf('friend', v)}', '${idOf('account', v)}', ${v}, 1, 2, ${at}, '2999-01-01')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into address_book (account_id) values ('${idOf('account', v)}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into contact (account_id, address, name, signed_at)
      values ('${idOf('account', v)}', '${addressOf(v, 'e')}', 'contact ${v}', ${at})`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into activity_note (account_id, reference_type, quote_id, ciphertext)
      values ('${idOf('account', v)}', 'quote', '${idOf('quote', v)}', 'note ${v}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into address_tag (account_id, address, ciphertext) values (${own(v)}, 'tag ${v}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into fee_waiver (account_id, source, active_until)
      values ('${idOf('account', v)}', 'collectible', '2999-01-01')`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into quote (id, account_id, kind, status, chain_id, token, amount, recipient, terms,
        network_fee, service_fee, fee_waived, gas_cost, expires_at, submitted_at)
      values ('${idOf('quote', v)}', '${idOf('account', v)}', 'send', 'submitted', ${v}, '${TOKEN}', ${v},
        '${addressOf(v, 'e')}', '{"version": ${v}}', 2, 1, false, 0, '2999-01-01', now())`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into reservation (quote_id, chain_id, address, token, amount)
      values ('${idOf('quote', v)}', ${v}, '${addressOf(v)}', '${TOKEN}', ${v})`,
  },
  {
    // No earlier version could write one: its migration cannot assign existing rows to an account.
    since: BASELINE,
    insert: (
      v,
    ) => `insert into intent (id, quote_id, place, chain_id, eoa, intent_nonce, combined_gas, transaction_gas,
        account_id, expires_at, from_block)
      values ('${idOf('intent', v)}', '${idOf('quote', v)}', 0, ${v}, '${addressOf(v)}', ${v}, 1, 1,
        '${idOf('account', v)}', now(), 0)`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into bridge_order (quote_id, account_id, provider, origin_chain_id, destination_chain_id, depositor,
        deposit_recipient, exclusive_relayer, input_token, bridged_token, input_amount, bridged_amount, quote_timestamp,
        fill_deadline, exclusivity_deadline, message, source_token, source_amount, output_recipient, output_token,
        expected_output, minimum_output, estimated_fill_ms, deposit_seen_at, fill_seen_at)
      values ('${idOf('quote', v)}', '${idOf('account', v)}', 'across', ${v}, ${v + 1}, '${addressOf(v)}',
        '${addressOf(v, 'e')}', '${addressOf(v, 'e')}', '${TOKEN}', '${TOKEN}', ${v}, ${v}, 1, 2, 0, '0x',
        '${TOKEN}', ${v}, '${addressOf(v, 'e')}', '${TOKEN}', ${v}, ${v}, ${v}, ${at},
        ${at}::timestamptz + interval '${v} ms')`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into cash_order (quote_id, account_id, source_chain_id, source_token, source_amount, from_incognito,
        chain_id, escrow, orchestrator, depositor, token, amount, payment_method, currency, payee_details, minimum_rate,
        quoted_rate, deposit_key, phase, deposit_id, deposit_tx, deposited, filled, time_due)
      values ('${idOf('quote', v)}', '${idOf('account', v)}', ${v}, '${TOKEN}', ${v}, true, ${v}, '${addressOf(v, 'e')}',
        '${addressOf(v, 'e')}', '${addressOf(v)}', '${TOKEN}', ${v}, 'venmo', 'USD', '${hashOf(v)}', ${v}, ${v},
        '${hashOf(v)}', 'partially_filled', ${v}, '${hashOf(v)}', ${v}, ${v}, ${v});
      insert into cash_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, address, escrow,
        deposit_id, deposit_key, amount)
      values (${v}, '${hashOf(v)}', ${v}, ${v}, ${at}, '${hashOf(v)}', 'received', '${addressOf(v)}',
        '${addressOf(v, 'e')}', ${v}, '${hashOf(v)}', ${v});
      insert into cash_contract (chain_id, escrow, orchestrator)
      values (${v}, '${addressOf(v, 'e')}', '${addressOf(v, 'e')}')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into cash_payee (quote_id, account_id, sealed, master_key_id)
      values ('${idOf('quote', v)}', '${idOf('account', v)}', '\\x00', 'key');
      insert into cash_withdrawal (quote_id, account_id, chain_id, escrow, deposit_id)
      values ('${idOf('quote', v)}', '${idOf('account', v)}', ${v}, '${addressOf(v, 'e')}', ${v})`,
  },
  {
    since: BASELINE,
    insert: (
      v,
    ) => `insert into pool_conversion (quote_id, place, account_id, chain_id, pool, address, deposit_index,
        precommitment, gross, net, vetting_fee, deposit_fee)
      values ('${idOf('quote', v)}', 0, '${idOf('account', v)}', ${v}, '${addressOf(v, 'e')}', '${addressOf(v)}', ${v},
        ${v}, ${v}, ${v} - 1, 1, 2)`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into pool_book (account_id, chain_id, pool, sealed, master_key_id, token)
      values ('${idOf('account', v)}', ${v}, '${addressOf(v, 'e')}', '\\x00', 'key', '${idOf('quote', v)}');
      insert into pool_spend (id, account_id, sealed, master_key_id)
      values ('${idOf('quote', v)}', '${idOf('account', v)}', '\\x00', 'key')`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into pool_recovery (quote_id, account_id, chain_id, pool, label)
      values ('${idOf('quote', v)}', '${idOf('account', v)}', ${v}, '${addressOf(v, 'e')}', ${v})`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into review_skip (account_id, address, last_received_at, raw_receive_count)
      values ('${idOf('account', v)}', '${addressOf(v)}', now(), ${v});
      insert into review_seen (account_id, chain_id, seen_block, seen_at)
      values ('${idOf('account', v)}', ${v}, ${v}, now())`,
  },
  {
    since: BASELINE,
    insert: (v) => `insert into collectible_deposit (chain_id, contract, token_id, account_id, address)
      values (${v}, '${addressOf(v, 'e')}', ${v}, '${idOf('account', v)}', '${addressOf(v)}');
      insert into collectible_withdrawal (quote_id, account_id, chain_id, contract, token_id)
      values ('${idOf('quote', v)}', '${idOf('account', v)}', ${v}, '${addressOf(v, 'e')}', ${v})`,
  },
]

/** The rows that a version writes about its own account, as SQL for its schema. */
export function rowsOfVersion(version: number): string {
  const written = TABLES.filter(({ since }) => since <= version)
  return written.map(({ insert }) => insert(version)).join(';\n')
}
