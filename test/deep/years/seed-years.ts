import pg from 'pg'
import { ACCOUNT_TABLES } from './seeded-accounts.ts'
import { BOOK_TABLES } from './seeded-books.ts'
import { CASH_TABLES } from './seeded-cash-outs.ts'
import { CHAIN_TABLES, type SeededTable } from './seeded-tables.ts'

/** Tables that grow with use, in the order in which they are filled. */
export const SEEDED_TABLES: readonly SeededTable[] = [
  ...ACCOUNT_TABLES,
  ...BOOK_TABLES,
  ...CASH_TABLES,
  ...CHAIN_TABLES,
]

/** Tables that stay small whatever the use, or whose size the operator or the market sets, not time. */
export const SMALL_TABLES: readonly string[] = [
  'account_change',
  'asp_set_state',
  'bridge_contract',
  'cash_contract',
  'clear_signing_binding',
  'clear_signing_descriptor',
  'clear_signing_snapshot',
  'daily_total',
  'end_total',
  'function_signature',
  'gas_at_risk',
  'gas_lost',
  'held_token_source',
  'indexed_block',
  'indexed_chain',
  'invite_code',
  // A thousand of a chain at most, each for a week.
  'left_out_block',
  'orchestrator_contract',
  'price_round',
  'price_sample',
  'quote_kind',
  'relay_total',
  'schema_function',
  'schema_migration',
  'sending_instance',
  'send_total',
  'server_key',
  'signer',
  'subdomain_reservation',
  'token_market',
  'token_price',
  'token_source',
  'total_mark',
  'trending_token',
  // Bookings that failed, each until a later attempt books it.
  'unbooked_earning',
]

/** Of each table, so that reading all of a rarely used one is dearer than its index too. */
const LEAST_ROWS = 2_000

/**
 * Fills an empty, migrated database with the rows of a service after so many settled transactions. There are a tenth as
 * many accounts, each with ten addresses and fifty transfers. Nothing is pending, and the blocks lie before the chain's
 * first.
 *
 * One transaction: tables that are emptied in it are written without a log, and their indexes are built at the end.
 */
export async function seedYears(
  databaseUrl: string,
  transactions: number,
  tell: (what: string) => void = () => {},
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const names = SEEDED_TABLES.map(({ table }) => table)
  try {
    await client.query('begin')
    // Without foreign keys and triggers: the rows agree with each other, and so do those that triggers would write.
    await client.query(`set local session_replication_role = replica`)
    await client.query(`set local maintenance_work_mem = '512MB'`)
    await client.query(`select set_config('seed.size', $1, true)`, [String(transactions)])
    await client.query(`truncate ${names.join(', ')} cascade`)
    await client.query(
      `update pg_index set indisready = false, indisvalid = false where indrelid = any($1::regclass[])`,
      [names],
    )
    for (const { table, perTransaction, columns, where } of SEEDED_TABLES) {
      const rows = Math.max(LEAST_ROWS, Math.round(perTransaction * transactions))
      const started = performance.now()
      await client.query(`
        insert into ${table} (${Object.keys(columns).join(', ')})
        select ${Object.values(columns).join(', ')} from generate_series(1, ${rows}::int8) as n
        ${where ? `where ${where}` : ''}`)
      const written = performance.now()
      await client.query(`reindex table ${table}`)
      tell(
        `${table}: ${rows} rows, ${Math.round((written - started) / 1_000)} s and ${Math.round((performance.now() - written) / 1_000)} s for its indexes`,
      )
    }
    await client.query('select fold_totals($1, $2)', [1_000_000_000, '10 minutes'])
    await client.query('commit')
    await client.query(`vacuum (analyze) ${names.join(', ')}`)
  } finally {
    await client.end()
  }
}
