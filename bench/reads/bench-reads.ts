import { join } from 'node:path'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { findRunningServer } from '../../db/embedded-postgres/server-address.ts'
import { insertTokens, tokenAddress } from '../holdings/fill-database.ts'
import { registerPool } from '../holdings/fill-wallet.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readServiceCpu } from '../service/read-metrics.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { benchDoors } from './bench-doors.ts'
import { benchFollowers } from './bench-followers.ts'
import { benchHome } from './bench-home.ts'
import { benchLargeWallet } from './bench-large-wallet.ts'

/** Measures reads from outside: CPU of the service and of its PostgreSQL. */
export async function benchReads(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service')
  const service = await startOwnService({ indexer: { enabled: false }, http: { trustedProxies: 1 } })
  const databaseUrl = findRunningServer(service.dataDir)
  if (!databaseUrl) throw new Error('the service has no embedded database')
  const database = await connectDatabase(databaseUrl)
  const { chainId, pools } = service.chain
  const ofService = readServiceCpu(service.url)
  const ofPostgres = () => readPostgresCpu(join(service.dataDir, 'postgres', 'cluster'))
  const readCpu = async () => ((await ofService()) ?? 0) + ofPostgres()
  try {
    await insertTokens(database, chainId)
    await priceTokens([0, 1, 2].map(tokenAddress))
    await registerPool(database, chainId, tokenAddress(0))
    const asset = pools[0]?.asset ?? ''
    const opened = { url: service.url, databaseUrl, chainId, asset, readCpu, readPostgresCpu: ofPostgres }
    return [
      ...(await benchDoors(settings, opened, database)),
      ...(await benchLargeWallet(settings, opened, database)),
      ...(await benchHome(settings, opened, database)),
      ...(await benchFollowers(settings)),
    ]
  } finally {
    await database.end()
    await service.stop()
  }

  async function priceTokens(tokens: readonly string[]): Promise<void> {
    await database.query(sql.typeAlias('void')`
      insert into token_price (chain_id, address, source, usd, observed_at)
      select ${chainId}::bigint, address, 'bench', place * 10::numeric ^ 30, now()
      from unnest(${sql.array([...tokens], 'text')}) with ordinality as priced (address, place)`)
  }
}
