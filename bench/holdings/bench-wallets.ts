import type { DatabasePool } from 'slonik'
import { generatePrivateKey } from 'viem/accounts'
import { openClient } from '../../schema/client/account/open-client.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import { tokenAddress } from './fill-database.ts'
import { analyzeWallets, fillWallet, registerPool } from './fill-wallet.ts'

/** Addresses of one account; all but the newest are used up. */
const SIZES = { 500: '500', 50_000: '50k' }
/** Several of each size, since each may read sixty times a minute. */
const ACCOUNTS = 2
const REQUESTS = 8

const READS = {
  profile: '',
  activities: '/activities?limit=50',
  addresses: '/addresses?limit=50',
  balance: '/balance',
}

/**
 * Cost of a wallet's reads on opening, over HTTP, for accounts with few addresses and with many: both should cost the same.
 */
export async function benchWallets(
  settings: Settings,
  service: { url: string; chainId: number; readCpu: () => Promise<number> },
  database: DatabasePool,
): Promise<UnratedRow[]> {
  const { url, chainId, readCpu } = service
  const tokens = [tokenAddress(0), tokenAddress(1), tokenAddress(2)]
  await registerPool(database, chainId, tokenAddress(0))
  const wallets = new Map<string, Awaited<ReturnType<typeof openClient>>[]>()
  for (const [addresses, size] of Object.entries(SIZES)) {
    settings.tell(`${ACCOUNTS} accounts of ${addresses} addresses`)
    const clients = []
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const client = await openClient({ url, spendKey: generatePrivateKey(), viewKey: generatePrivateKey() })
      const { accountId } = client
      await fillWallet(database, { chainId, accountId, addresses: Number(addresses), tokens })
      clients.push(client)
    }
    // PostgreSQL does this by itself, except for tables that grow within a minute.
    await analyzeWallets(database)
    wallets.set(size, clients)
  }

  const samples = new Map<string, Sample[]>()
  const ask = async (size: string, path: string, request: number) => {
    const client = wallets.get(size)?.[request % ACCOUNTS]
    await client?.ask('GET', `/v1/accounts/${client.accountId}${path}`)
  }
  for (let round = -1; round < settings.rounds; round += 1)
    for (const [read, path] of Object.entries(READS))
      for (const size of wallets.keys()) {
        const sample = await takeSample(readCpu, REQUESTS, async () => {
          for (let request = 0; request < REQUESTS; request += 1) await ask(size, path, request)
        })
        const name = nameOf(read, size)
        // The first round warms up.
        if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), sample])
      }

  const [smallest = ''] = wallets.keys()
  return Object.keys(READS).flatMap((read) =>
    [...wallets.keys()].map((size) =>
      summarize(
        {
          name: nameOf(read, size),
          baseline: size === smallest ? null : nameOf(read, smallest),
          compared: 'wall',
        },
        samples.get(nameOf(read, size)) ?? [],
      ),
    ),
  )
}

const nameOf = (read: string, size: string) => `holdings.${read}Of${size}`
