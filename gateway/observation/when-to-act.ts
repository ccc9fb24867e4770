/**
 * The sign of trouble for each metric that has one, by name. {@link printMetrics} prints it beside the metric's help; a link
 * goes from the folder of this file.
 */
export const WHEN_TO_ACT: Readonly<Record<string, string>> = {
  http_request_duration_seconds: 'many 5xx; p95 of `relayerRequest` above 5 s',
  graphql_operation_duration_seconds: 'many `failed`',
  http_requests_in_flight: 'near `http.maxInFlight`',
  http_unwritten_bytes: 'near `http.maxUnwritten`',
  http_answers_ended_unread_total: 'grows',
  alarms: 'above 0: see [Alarms](ALARMS.md)',
  chain_head_block: 'does not grow',
  chain_head_age_seconds: 'above twenty usual block times',
  chain_head_read_age_seconds: 'above `staleAfterMs`',
  chain_node_ok: '0 for minutes',
  chain_node_blocks_behind: 'above 0 for minutes',
  chain_gas_price_wei: 'near `maxGasPrice`',
  chain_pending_transactions: 'grows for minutes',
  unpaid_gas_lost: 'above half of its share',
  unpaid_gas_refused: 'grows',
  signer_runway_relays: 'below 20',
  signer_paused: '1',
  signer_pending_transactions: 'stays at `broadcast.maxPendingPerSigner`',
  ledger_fee_received: 'below the gas spent, over a day',
  pool_ready: '0 for minutes',
  relay_requests: '`failed` grows faster than usual',
  relay_refusals: '`SIMULATION_FAILED` or `INCORRECT_ASP_ROOT` grow: check the nodes',
  proving_pool: '`queued` near `proving.maxQueue`',
  proof_cross_checks: '`disagreed` above 0: see [Proofs](ALARMS.md#proofs)',
  indexer_blocks_behind: 'above 10 for minutes',
  indexer_live: '0 for minutes',
  indexer_backfilling_addresses: 'does not shrink',
  indexer_stale_holdings: 'does not shrink',
  indexer_problem_holdings: 'jumps',
  indexer_blocks_left_out:
    'above 0: see [Blocks that no node shows whole](../../OPERATING.md#blocks-that-no-node-shows-whole)',
  indexer_blocks_given_up: 'grows',
  indexer_rows_set_aside: 'grows',
  indexer_deepest_reorg_blocks: 'near `indexer.depth`',
  indexer_resyncs: 'grows',
  indexer_is_worker: 'no instance has 1',
  sends: '`failed` grows',
  sends_unended:
    'above 0: see [Quotes that cannot be booked](../../OPERATING.md#quotes-that-cannot-be-booked)',
  earnings_unbooked:
    'above 0: see [Quotes that cannot be booked](../../OPERATING.md#quotes-that-cannot-be-booked)',
  send_ledger_gas_unpaid_wei: 'grows',
  orders_open: 'grows',
  orders_overdue:
    'above 0: see [Orders that outlive their deadline](../../OPERATING.md#orders-that-outlive-their-deadline)',
  orders_fill_seconds: 'far above the time that the bridge promises',
  cash_outs_open: '`depositing` grows',
  cash_outs_unseen:
    'above 0: see [Cash-outs whose deposit is not seen](../../OPERATING.md#cash-outs-whose-deposit-is-not-seen)',
  venue_answer_seconds: "many `timed_out` or `failed`; p95 near the venue's time limit",
}
