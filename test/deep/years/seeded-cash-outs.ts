import { addressOf, idOf, strangerOf, textOf, tokenOf, txHashOf } from './made-values.ts'
import { accountOf, chain, event, when, type SeededTable } from './seeded-tables.ts'

/** Cash-outs: ended orders, their escrow's events, and withdrawals. */
export const CASH_TABLES: readonly SeededTable[] = [
  {
    table: 'cash_order',
    perTransaction: 0.02,
    columns: {
      quote_id: idOf('quote', 'n'),
      account_id: accountOf('n'),
      source_chain_id: chain('n'),
      source_token: tokenOf('n'),
      source_amount: 'n',
      from_incognito: 'false',
      chain_id: chain('n'),
      escrow: strangerOf('2'),
      orchestrator: strangerOf('3'),
      depositor: addressOf('n'),
      token: tokenOf('n'),
      amount: 'n',
      payment_method: txHashOf('1'),
      currency: txHashOf('2'),
      payee_details: txHashOf('-n'),
      minimum_rate: '1',
      quoted_rate: '1',
      deposit_key: txHashOf('n'),
      phase: `'completed'`,
      deposit_id: 'n',
      deposit_tx: txHashOf('n'),
      deposited: 'n',
      filled: 'n',
      created_at: when('n', 0.02),
      updated_at: when('n', 0.02),
      ended_at: when('n', 0.02),
    },
  },
  {
    table: 'cash_event',
    perTransaction: 0.05,
    columns: {
      ...event(0.05),
      kind: `case when n % 2 = 0 then 'received' else 'locked' end`,
      address: addressOf('n'),
      escrow: strangerOf('2'),
      deposit_id: 'n / 2',
      intent_hash: `case when n % 2 = 1 then ${txHashOf('-n')} end`,
    },
  },
  {
    table: 'cash_withdrawal',
    perTransaction: 0.01,
    columns: {
      quote_id: idOf('quote', 'n'),
      account_id: accountOf('n'),
      chain_id: chain('n'),
      escrow: strangerOf('2'),
      deposit_id: 'n',
      ended_at: when('n', 0.01),
    },
  },
  {
    table: 'cash_payee',
    perTransaction: 0.01,
    columns: {
      quote_id: idOf('quote', 'n'),
      account_id: accountOf('n'),
      sealed: `convert_to(${textOf('n', 120)}, 'UTF8')`,
      master_key_id: `'key'`,
    },
  },
]
