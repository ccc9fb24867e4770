import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { z } from 'zod'
import { insertAccount } from '../../db/account/profile/accounts.ts'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { loadStealthCurve } from '../../proving/derivation/stealth-curve.ts'
import { addressesConfig } from '../../relayer/account/addresses/config.ts'
import { issueAddresses } from '../../relayer/account/addresses/issue-addresses.ts'
import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'
import { createVault } from '../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../relayer/identity/key-wrapper.ts'
import { encodeStoredKeys } from '../../relayer/identity/key-material.ts'
import type { Vault } from '../../relayer/identity/vault.ts'
import { runConcurrently } from '../../test/harness/relay-requests.ts'
import { startIndexer } from '../../test/relayer/chain/indexer/start-indexer.ts'
import { createWallet } from '../../test/relayer/identity/wallet.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import type { Joining } from './measure-late-addresses.ts'

const ACCOUNTS = 50
const EACH = 40
const ADDRESSES = ACCOUNTS * EACH
const CONCURRENCY = 8

/**
 * Addresses that are issued one by one while the index follows its chain over two nodes, until they are watched and their
 * past is read. Includes PostgreSQL, but not the nodes.
 */
export async function measureFreshAddresses(
  { chain, folder, createDatabase }: Joining,
  settings: Settings,
): Promise<UnratedRow[]> {
  const cluster = join(folder, 'data', 'postgres', 'cluster')
  const readCpu = () => readOwnCpu() + readPostgresCpu(cluster)
  const samples: Sample[] = []
  for (let round = -1; round < settings.rounds; round += 1) {
    settings.tell(`${ADDRESSES} fresh addresses, ${round < 0 ? 'warm-up' : `round ${round + 1}`}`)
    const pool = await connectDatabase(await createDatabase(`fresh_${round + 1}`))
    const sample = await measureRound(pool, chain, readCpu)
    if (round >= 0) samples.push(sample)
    await pool.end()
  }
  const row = summarize({ name: 'indexer.freshAddress', baseline: null, compared: 'cpu' }, samples)
  return [{ ...row, note: `of ${ADDRESSES} in ${ACCOUNTS} accounts, PostgreSQL included; peer: none` }]
}

async function measureRound(pool: DatabasePool, chain: ChainConfig, readCpu: () => number): Promise<Sample> {
  const vault = createVault([createKeyWrapper(randomBytes(32))])
  const parts = {
    database: pool,
    vault,
    curve: await loadStealthCurve(),
    config: addressesConfig.parse({ freshPerWindow: ADDRESSES }),
  }
  const accounts: string[] = []
  for (let count = 0; count < ACCOUNTS; count += 1) accounts.push(await addAccount(pool, vault))
  const [url = ''] = chain.rpcUrls
  const { indexer, stop } = await startIndexer(pool, chain, {}, { rpcUrls: [url, url] })
  const untilSynced = async () => {
    while (!(await indexer.isSynced(chain.chainId))) await sleep(10)
  }
  try {
    await untilSynced()
    const asked = Array.from({ length: EACH }, () => accounts).flat()
    return await takeSample(readCpu, ADDRESSES, async () => {
      await runConcurrently(asked, CONCURRENCY, (account) => issueAddresses(parts, account, 'external', 1))
      while ((await countReady(pool)) < ADDRESSES) await sleep(50)
      await untilSynced()
    })
  } finally {
    await stop()
  }
}

async function addAccount(pool: DatabasePool, vault: Vault): Promise<string> {
  const id = randomUUID()
  const { address, material } = createWallet()
  const { P_spend: spendPublicKey, P_view: viewPublicKey, child_p_view: childViewKey } = material
  const keys = encodeStoredKeys({ childViewKey, spendPublicKey, viewPublicKey })
  const plain = { experimentId: null, experimentKey: null, variantKey: null }
  await insertAccount(pool, { id, authAddress: address, sealedKeys: await vault.seal(id, keys), ...plain })
  return id
}

/** Counts the watched addresses whose past is read. */
const countReady = async (pool: DatabasePool) =>
  Number(
    await pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
      select count(*) from watched_address where near_from is not null and history_next is null`),
  )
