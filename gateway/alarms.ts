import { LOG_ALARMS, type LogAlarm } from './log-alarms.ts'

/** An alarm that stands while its cause lasts. */
export interface StandingAlarm {
  level: 'error' | 'warn'
  /** The fault, in words; also the message of its log entry. */
  message: string
  /** The clients that it affects, and how. */
  hurts: string
  /** The place that an operator checks first. Markdown. */
  check: string
  /** The operator's next step. Markdown. */
  action: string
}

/**
 * Every standing alarm by its code, the worst first. It feeds the log, the front page, `/status.json`, the metric `alarms` and
 * the manual. Codes never change their meaning.
 */
export const STANDING_ALARMS = {
  DATABASE_DOWN: {
    level: 'error',
    message: 'the database does not take writes',
    hurts: 'All clients: requests get 503 DATABASE_AWAY. Nothing is accepted, so nothing is lost.',
    check: 'PostgreSQL and the network to it; `detail` says what failed',
    action: 'Start PostgreSQL, or promote a standby. The service reconnects by itself.',
  },
  DATABASE_FULL: {
    level: 'error',
    message: 'the disk of the database is full',
    hurts: 'All clients: requests that write get 503 DATABASE_AWAY, and the chains are not indexed.',
    check: '`df` on the machine of PostgreSQL: data, WAL and temporary files',
    action:
      'Free space or enlarge the disk; never delete files of PostgreSQL. The service goes on by itself.',
  },
  CLOCK_DRIFT: {
    level: 'error',
    message: 'the clock of this machine is wrong',
    hurts: 'All clients: tokens, quotes and prices count as expired or as not valid yet.',
    check: '`timedatectl` here and on the machine of PostgreSQL; `detail` says by how much and against what',
    action: 'Start time synchronisation, then restart the service.',
  },
  WRONG_CHAIN: {
    level: 'error',
    message: 'a node serves another chain',
    hurts: 'Nobody while other nodes answer: the service leaves the node out.',
    check: '`eth_chainId` of the node that `subject` names',
    action: 'Correct `rpcUrls`, or ask the provider of the node.',
  },
  CHAIN_DOWN: {
    level: 'error',
    message: 'no node of the chain answers',
    hurts: 'Clients of the chain: no payment is seen, and quotes and sends get 503.',
    check: 'each node of `rpcUrls`; `detail` names their hosts',
    action: 'Restart or replace the nodes. The chain goes on where it stopped.',
  },
  CHAIN_STALLED: {
    level: 'error',
    message: 'the head of the chain does not move',
    hurts: 'Clients of the chain: payments are seen late, and sends are not confirmed.',
    check: 'the newest block at an explorer, and CLOCK_DRIFT',
    action: 'If the explorer is ahead, replace the nodes. If the chain itself stands, wait.',
  },
  INDEXING_STOPPED: {
    level: 'error',
    message: 'indexing does not go on',
    hurts: 'Clients of the chain: new payments are not seen, and balances are old.',
    check: '`detail`; mostly a node lacks a block, logs or traces',
    action:
      'Check the nodes, and add another. See [Blocks that no node shows whole](#blocks-that-no-node-shows-whole).',
  },
  SIGNER_DRY: {
    level: 'error',
    message: 'no signer of a duty pays for one transaction',
    hurts: 'Clients who send or withdraw on the chain: 503 NO_GAS_FOR_SENDING before funds are locked.',
    check: '`signer_balance_wei`, and `subject` for the duty',
    action: 'Send native coin to the signers of the duty.',
  },
  BASE_FEE_ABOVE_CAP: {
    level: 'error',
    message: 'the base fee is above the highest price that the service pays',
    hurts:
      'Clients who send on the chain: 503 before funds are locked. Relays are refused; signed work waits.',
    check: '`chain_base_fee_wei` beside `chain_gas_price_cap_wei`',
    action: 'Wait, or raise `maxGasPrice` of the chain.',
  },
  CONTRACT_MISSING: {
    level: 'error',
    message: 'a configured contract has no code',
    hurts: 'Clients who use what the setting is for: quotes fail.',
    check: 'the address that `subject` names, at an explorer of this chain',
    action: 'Put the address of the deployed contract into the setting, and restart.',
  },
  VERIFIERS_DISAGREE: {
    level: 'error',
    message: 'the two verifiers of proofs gave different verdicts since the start',
    hurts: 'Nobody yet: only a sample of the proofs is checked twice, so a wrong one may have passed.',
    check: '`proof_cross_checks`, and PROOF_DISPUTED in the log, which has both verdicts',
    action:
      'Set `proving.verifier` to `snarkjs`, start again, and report it: one of the two accepts a wrong proof or refuses a right one.',
  },
  SIGNER_LOW: {
    level: 'error',
    message: 'a signer runs out of funds: send it native coin',
    hurts: 'Nobody yet: other signers send, or this one for a while.',
    check: '`signer_runway_relays`; a signer is low below `broadcast.minRunway`, or while it pauses',
    action: 'Send native coin to the signer.',
  },
  POOL_STALE: {
    level: 'error',
    message: 'the pools of the chain cannot be read',
    hurts: 'Clients who withdraw from pools of the chain: relays get 503.',
    check: '`pool_ready`, `entrypoint` and `assets`, and the nodes',
    action: 'Correct the settings, or replace the node that refuses calls.',
  },
  NODE_DOWN: {
    level: 'warn',
    message: 'a node does not answer',
    hurts: 'Nobody while another node answers. That one learns what this one would have learned.',
    check: '`chain_node_errors_total` and `chain_node_answer_seconds` of the node',
    action: 'Restart or replace the node.',
  },
  NODE_LAGS: {
    level: 'warn',
    message: 'a node is behind and passed over',
    hurts: 'Nobody while another node is at the head.',
    check: '`chain_node_blocks_behind` of the node',
    action: 'Let it catch up, or replace it.',
  },
  NODE_LIES: {
    level: 'warn',
    message: 'a node shows a head that cannot be',
    hurts: 'Nobody: the service does not believe it.',
    check: 'its newest block at an explorer',
    action: 'Replace the node.',
  },
  REDIS_DOWN: {
    level: 'warn',
    message: 'Redis is away: each instance works alone until it is back',
    hurts: 'Clients of several instances: limits count per instance, and live events arrive late.',
    check: 'Redis and the network to it',
    action: 'Start Redis. The service reconnects by itself.',
  },
  VENUE_DOWN: {
    level: 'warn',
    message: 'a venue does not answer',
    hurts: 'Clients who swap, bridge or cash out by it: fewer routes, or none.',
    check: '`venue_answer_seconds`, and the URL of the venue in `venues`',
    action: 'Correct the URL or the key, or ask the venue.',
  },
} as const satisfies Record<string, StandingAlarm>

/** The code of a standing alarm. */
export type AlarmCode = keyof typeof STANDING_ALARMS

/** The codes of log entries, by level and message. */
const CODES: ReadonlyMap<string, string> = new Map(
  Object.values(LOG_ALARMS).flatMap((topic) =>
    Object.entries<LogAlarm>(topic).map(([code, [level, message]]) => [`${level} ${message}`, code]),
  ),
)

/** Returns the code of a log entry that asks for something; undefined for all others. */
export const findAlarmCode = (level: string, message: string): string | undefined =>
  CODES.get(`${level} ${message}`)
