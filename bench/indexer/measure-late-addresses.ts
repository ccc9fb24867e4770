import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'
import { seedAccount } from '../../test/relayer/account/seed-account.ts'
import { startIndexer } from '../../test/relayer/chain/indexer/start-indexer.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

const ADDRESSES = 100_000
const ACCOUNTS = 200
const PER_INSERT = 20_000

/** The resources of a measurement. */
export interface Joining {
  chain: ChainConfig
  folder: string
  /** Makes a database on the server. @returns Its URL. */
  createDatabase(name: string): Promise<string>
}

/**
 * Many addresses, known before their chain or after it was indexed, until they are watched and their past is read. Includes
 * PostgreSQL.
 */
export async function measureLateAddresses(
  { chain, folder, createDatabase }: Joining,
  settings: Settings,
): Promise<UnratedRow[]> {
  const cluster = join(folder, 'data', 'postgres', 'cluster')
  const readCpu = () => readOwnCpu() + readPostgresCpu(cluster)
  const rows: UnratedRow[] = []
  for (const [name, isLate] of [
    ['indexer.joinAddress', false],
    ['indexer.lateAddress', true],
  ] as const) {
    settings.tell(`${ADDRESSES} addresses that come ${isLate ? 'after' : 'before'} the blocks`)
    const pool = await connectDatabase(await createDatabase(isLate ? 'late' : 'joining'))
    if (isLate) await indexAll(pool, chain)
    await seed(pool)
    rows.push({
      ...summarize({ name, baseline: null, compared: 'wall' }, [
        await takeSample(readCpu, ADDRESSES, () => indexAll(pool, chain)),
      ]),
      note: `of ${ADDRESSES} in ${ACCOUNTS} accounts, PostgreSQL included; peer: none`,
    })
    await pool.end()
  }
  return rows
}

async function seed(pool: DatabasePool): Promise<void> {
  for (let account = 0; account < ACCOUNTS; account += 1) await seedAccount(pool)
  for (let at = 0; at < ADDRESSES; at += PER_INSERT)
    await pool.query(sql.typeAlias('void')`
      with numbered as (select id, row_number() over (order by id) - 1 as place from account)
      insert into stealth_address (address, account_id, derivation_nonce, generation_context)
      select '0x' || substr(encode(sha256(number::text::bytea), 'hex'), 1, 40), id, number / ${ACCOUNTS}::int, 'external'
      from generate_series(${at}::int, ${at + PER_INSERT - 1}::int) as number
        join numbered on place = number % ${ACCOUNTS}::int`)
}

/** Indexes until all addresses are watched and their past is read. */
async function indexAll(pool: DatabasePool, chain: ChainConfig): Promise<void> {
  const { indexer, stop } = await startIndexer(pool, chain)
  while (await isUnwatched(pool)) await sleep(500)
  while (!(await indexer.isSynced(chain.chainId))) await sleep(100)
  await stop()
}

const isUnwatched = (pool: DatabasePool) =>
  pool.exists(sql.typeAlias('void')`
    select from stealth_address where not exists (
      select from watched_address where watched_address.address = stealth_address.address)`)
