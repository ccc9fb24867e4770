import type { DatabasePool } from 'slonik'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import type { PendingMigrations } from '../../../db/migrate.ts'
import { countDatabaseConnections } from '../../config/count-database-connections.ts'
import type { ServiceConfig } from '../../config/config.ts'
import { openChart, type ChartEntry } from './open-chart.ts'

/** The oldest PostgreSQL that the tests run on. */
const OLDEST = 15
/** Milliseconds by which clocks may differ. */
const MOST_DRIFT_MS = 2_000
/** Connections for notifications, beside those of the pool. */
const FOR_NOTIFICATIONS = 2

const facts = z.object({
  version: z.coerce.number(),
  connections: z.coerce.number(),
  fsync: z.string(),
  durability: z.string(),
  now: z.coerce.number(),
  jit: z.string(),
  planning: z.string(),
})

/** Examines the database server: its version, tables, limits, durability, planner and clock. */
export async function checkDatabase(
  pool: DatabasePool,
  config: Pick<ServiceConfig, 'chains' | 'devnet' | 'storage'>,
  { files }: Pick<PendingMigrations, 'files'>,
): Promise<ChartEntry[]> {
  const chart = openChart('PostgreSQL')
  const from = Date.now()
  const { version, connections, fsync, durability, now, jit, planning } = await pool.one(sql.type(facts)`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('max_connections') as connections, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as durability, current_setting('jit') as jit,
      current_setting('plan_cache_mode') as planning, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`)
  const drift = Math.round((from + Date.now()) / 2 - now)
  if (version < OLDEST) chart.error(`is version ${version}`, `Use version ${OLDEST} or newer.`)
  else chart.ok(`is version ${version}`)
  if (files.length === 0) chart.ok('has the tables of this version')
  else chart.ok(`gets the tables of this version at the first start, by ${files.length} files`)
  const needed = countDatabaseConnections(config) + FOR_NOTIFICATIONS
  if (connections < 2 * needed)
    chart.warn(
      `allows ${connections} connections, and each instance opens up to ${needed}`,
      'Raise `max_connections`, or add PgBouncer before a second instance.',
    )
  else chart.ok(`allows ${connections} connections, and each instance opens up to ${needed}`)
  if (fsync !== 'on' || durability === 'off')
    chart.error(
      `has fsync ${fsync} and synchronous_commit ${durability}`,
      'Switch both on: a crash would forget transactions that were sent.',
    )
  if (jit === 'on' || planning !== 'force_generic_plan')
    chart.warn(
      `has jit ${jit} and plan_cache_mode ${planning} for this role: it plans and compiles each statement anew`,
      'Run `alter role <role> set jit = off` and `alter role <role> set plan_cache_mode = force_generic_plan`.',
    )
  if (Math.abs(drift) > MOST_DRIFT_MS)
    chart.error(
      `has a clock ${Math.abs(drift)} ms ${drift > 0 ? 'behind' : 'ahead of'} this machine's`,
      'Start time synchronisation on both.',
    )
  if (config.storage.databaseUrl === undefined)
    chart.warn(
      'is the embedded one',
      'Set `DATABASE_URL` for production: backups and standbys need a server of your own.',
    )
  return chart.entries
}
