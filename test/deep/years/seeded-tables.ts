import {
  addressOf,
  blockHashOf,
  fieldOf,
  idOf,
  poolOf,
  strangerOf,
  tokenOf,
  txHashOf,
} from './made-values.ts'

/** One table's rows: as many for each settled transaction, and a row's columns as SQL over its number `n`, counted from 1. */
export interface SeededTable {
  table: string
  perTransaction: number
  columns: Readonly<Record<string, string>>
  /** `n` runs over a part only. */
  where?: string
}

export const SEEDED_CHAIN = 31_337
/** Addresses of one account, and transfers that each of them gets. */
const ADDRESSES = 10
const TRANSFERS = 5

/** Number of the account that has the n-th address. */
const ownerOf = (n: string) => `((${n}) - 1) / ${ADDRESSES} + 1`
/** Three quarters lie on the chain that is served, the rest on another. */
export const chain = (n: string) => `case when (${n}) % 4 = 0 then 1 else ${SEEDED_CHAIN} end`
/** All of it lies before the served chain's first block, so that its own blocks never meet it. */
const block = (n: string, perBlock: number) => `((${n}) / ${perBlock}) - 1000000000`
/** Settled transactions in all; the seed sets it for each statement. */
const spread = `current_setting('seed.size')::int8`
/**
 * The time of a table's n-th row, given its rows for each transaction: the newest a day ago, the first three years ago.
 */
export const when = (n: string, perTransaction: number) =>
  `now() - interval '1 day' - (1 - least(1, (${n}) / (${perTransaction} * ${spread}))) * interval '1095 days'`
export const account = (n: string) => idOf('account', n)
export const accountOf = (n: string) => account(ownerOf(n))
/** The address that the n-th transfer is paid to: neighbours go to accounts far from each other. */
const paid = (n: string) => `((${n}) * 7919) % ${spread} + 1`
/** The address that sends the n-th, where it is ours. */
const sender = (n: string) => `((${n}) * 7919 + ${spread} / 2) % ${spread} + 1`
/** Every fifth transfer shares the transaction of the one before it. */
const txOf = (n: string) => `(${n}) - ((${n}) % 5 = 0)::int4`

const indexed = (perTransaction: number) => ({
  block_number: block('n', 20),
  block_time: when('n', perTransaction),
})
export const event = (perTransaction: number) => ({
  chain_id: chain('n'),
  block_hash: blockHashOf('n / 20'),
  log_index: '(n % 20)::int4',
  tx_hash: txHashOf(txOf('n')),
  ...indexed(perTransaction),
})

export const CHAIN_TABLES: readonly SeededTable[] = [
  {
    table: 'transfer',
    perTransaction: TRANSFERS,
    columns: {
      chain_id: chain('n'),
      block_hash: blockHashOf('n / 20'),
      source: `'log'`,
      position: '(n % 20)::int4',
      tx_hash: txHashOf(txOf('n')),
      standard: `'erc20'`,
      token: tokenOf('n'),
      from_address: `case when n % 4 = 1 then ${addressOf(sender('n'))} else ${strangerOf('n % 1000')} end`,
      to_address: addressOf(paid('n')),
      amount: 'n * 1000003',
      ...indexed(TRANSFERS),
    },
  },
  {
    table: 'indexed_tx',
    perTransaction: TRANSFERS,
    where: 'n % 5 <> 0',
    columns: {
      chain_id: chain('n'),
      tx_hash: txHashOf('n'),
      block_hash: blockHashOf('n / 20'),
      tx_index: '(n % 20)::int4',
      from_address: strangerOf('n % 1000'),
      to_address: tokenOf('n'),
      tx_nonce: 'n',
      value: '0',
      succeeded: 'true',
      gas_used: '51000',
      fee: '51000 * 1000000007::numeric',
      selector: `'0xa9059cbb'`,
      ...indexed(TRANSFERS),
    },
  },
  {
    table: 'address_tx',
    perTransaction: TRANSFERS,
    columns: {
      address: addressOf(paid('n')),
      chain_id: chain('n'),
      tx_hash: txHashOf(txOf('n')),
      tx_index: '(n % 20)::int4',
      ...indexed(TRANSFERS),
    },
  },
  {
    table: 'account_tx',
    perTransaction: TRANSFERS,
    columns: {
      account_id: accountOf(paid('n')),
      chain_id: chain('n'),
      tx_hash: txHashOf(txOf('n')),
      tx_index: '(n % 20)::int4',
      ...indexed(TRANSFERS),
    },
  },
  {
    table: 'pool_event',
    perTransaction: 2,
    columns: {
      ...event(2),
      kind: `(array['deposit', 'withdrawal', 'leaf', 'relay'])[1 + n % 4]`,
      contract: poolOf('n / 4'),
      account: `case when n % 40 = 4 then ${addressOf(`n % ${spread} + 1`)} when n % 4 = 0 then ${strangerOf('n % 1000')} end`,
      value: 'case when n % 4 <> 2 then n end',
      commitment: `case when n % 4 <> 3 then ${fieldOf('n')} end`,
      label: `case when n % 4 = 0 then ${fieldOf('n / 4')} end`,
      precommitment: `case when n % 4 = 0 then ${fieldOf('-n')} end`,
      nullifier_hash: `case when n % 4 = 1 then ${fieldOf('n / 4')} end`,
      root: `case when n % 4 = 2 then ${fieldOf('-n')} end`,
      leaf_index: 'case when n % 4 = 2 then n / 16 end',
    },
  },
  {
    table: 'intent_event',
    perTransaction: 0.4,
    columns: {
      ...event(0.4),
      orchestrator: strangerOf('1'),
      eoa: addressOf('n'),
      intent_nonce: 'n',
      incremented: 'true',
      err: `'0x00000000'`,
    },
  },
  {
    table: 'bridge_event',
    perTransaction: 0.1,
    columns: {
      ...event(0.1),
      kind: `case when n % 2 = 0 then 'deposit' else 'fill' end`,
      address: addressOf('n'),
      relay_key: txHashOf('n / 2'),
      deposit_id: 'n / 2',
    },
  },
  {
    table: 'watched_address',
    perTransaction: 1,
    columns: { chain_id: `${SEEDED_CHAIN}`, address: addressOf('n'), live_from: '0', near_from: '0' },
  },
  {
    table: 'holding',
    perTransaction: 1,
    columns: {
      chain_id: chain('n'),
      address: addressOf('n'),
      standard: `'erc20'`,
      token: tokenOf('n'),
      amount: 'n',
      stale: 'false',
      as_of_number: block('n', 20),
      as_of_hash: blockHashOf('n'),
      owner_account_id: accountOf('n'),
    },
  },
  {
    table: 'account_deposit',
    perTransaction: 0.05,
    columns: {
      chain_id: chain('n'),
      block_hash: blockHashOf('n'),
      log_index: '0',
      account_id: accountOf('n'),
      address: addressOf('n'),
      pool: poolOf('n'),
      label: fieldOf('n'),
      value: 'n',
      standing: `'approved'`,
    },
  },
  {
    table: 'account_deposit_sum',
    perTransaction: 0.05,
    columns: {
      account_id: account('n'),
      chain_id: chain('n'),
      pool: poolOf('n'),
      standing: `'approved'`,
      amount: 'n',
      deposits: '1',
    },
  },
  {
    table: 'asp_review',
    perTransaction: 0.5,
    columns: {
      chain_id: '1',
      pool: poolOf('n'),
      label: fieldOf('n'),
      status: `'approved'`,
      reviewed_at: when('n', 0.5),
    },
  },
  {
    table: 'asp_set',
    perTransaction: 0.5,
    columns: { chain_id: '1', position: 'n - 1', label: fieldOf('n') },
  },
]
