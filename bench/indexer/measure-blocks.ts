import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import pg from 'pg'
import { connectDatabase } from '../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'
import { devnetConfig } from '../../gateway/config/devnet-config.ts'
import { startDevnetHere } from '../../test/harness/start-devnet-here.ts'
import { askNode } from '../../test/harness/ask-node.ts'
import { seedAddresses } from '../../test/relayer/chain/indexer/seed-addresses.ts'
import { pay, payInside, payToken, rich } from '../../test/relayer/chain/indexer/calls.ts'
import { contracts, describeCall, randomAddress } from '../../test/relayer/chain/indexer/chain-calls.ts'
import { startIndexer } from '../../test/relayer/chain/indexer/start-indexer.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import { measureCatchUp } from './measure-catch-up.ts'
import { measureFreshAddresses } from './measure-fresh-addresses.ts'
import { measureLateAddresses } from './measure-late-addresses.ts'

const BLOCKS = 200
const CALLS_PER_BLOCK = 12
const ADDRESSES = 100

/**
 * A chain that existed before the index: blocks per second from the node to the database, with balances. Also many addresses
 * that come before or after its blocks.
 */
export async function measureBlocks(folder: string, settings: Settings): Promise<UnratedRow[]> {
  const logger = pino({ level: 'silent' })
  const config = devnetConfig.parse({ chainIds: [31_337], ports: [], aspDelaySeconds: 3_600 })
  const devnet = await startDevnetHere({ dataDir: folder, config, logger })
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), logger })
  try {
    const [chain] = devnet.chains
    if (!chain) throw new Error('the devnet has no chain')
    const own = Array.from({ length: ADDRESSES }, randomAddress)
    settings.tell(`${BLOCKS} blocks of ${CALLS_PER_BLOCK} transactions`)
    await fillChain(chain, own)
    const samples: Sample[] = []
    for (let round = 0; round < settings.rounds; round += 1) {
      settings.tell(`round ${round + 1} of ${settings.rounds}`)
      const url = await createDatabase(postgres.url, `round_${round}`)
      const pool = await connectDatabase(url)
      await seedAddresses(pool, own)
      samples.push(await takeSample(readOwnCpu, BLOCKS, () => indexAll(pool, chain)))
      await pool.end()
    }
    const row = summarize({ name: 'indexer.block', baseline: null, compared: 'wall' }, samples)
    settings.tell(`${(1_000 / row.wallMs.median).toFixed(0)} blocks per second`)
    const createNamed = (name: string) => createDatabase(postgres.url, name)
    return [
      row,
      ...(await measureLateAddresses({ chain, folder, createDatabase: createNamed }, settings)),
      ...(await measureFreshAddresses({ chain, folder, createDatabase: createNamed }, settings)),
      ...(await measureCatchUp(chain, createNamed, settings)),
    ]
  } finally {
    await postgres.stop()
    await devnet.stop()
  }
}

async function fillChain({ rpcUrls: [url = ''] }: ChainConfig, own: readonly `0x${string}`[]): Promise<void> {
  await askNode(url, 'anvil_autoImpersonateAccount', true)
  await askNode(url, 'evm_setAutomine', false)
  for (let block = 0; block < BLOCKS; block += 1) {
    for (let call = 0; call < CALLS_PER_BLOCK; call += 1) {
      const [to, payer] = [own[(block * 7 + call) % own.length], rich[call % rich.length]]
      if (!to || !payer) throw new Error('there is nobody to pay')
      const made = [
        pay,
        payInside,
        (...given: Parameters<typeof pay>) => payToken(contracts.tokens[0], ...given),
      ]
      const make = made[call % made.length] ?? pay
      await askNode(url, 'eth_sendTransaction', describeCall(make(to, 1_000n + BigInt(call), payer)))
    }
    await askNode(url, 'evm_mine')
  }
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = name
  await migrateDatabase(url.href)
  return url.href
}

async function indexAll(
  pool: Awaited<ReturnType<typeof connectDatabase>>,
  chain: ChainConfig,
): Promise<void> {
  const running = await startIndexer(pool, chain)
  while (!(await running.indexer.isSynced(chain.chainId))) await sleep(10)
  await running.stop()
}
