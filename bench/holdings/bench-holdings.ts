import { generatePrivateKey } from 'viem/accounts'
import { connectDatabase } from '../../db/connect-database.ts'
import { findRunningServer } from '../../db/embedded-postgres/server-address.ts'
import { openClient } from '../../schema/client/account/open-client.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import { benchDust } from './bench-dust.ts'
import { benchReview } from './bench-review.ts'
import { benchProvenance } from './bench-provenance.ts'
import { benchWallets } from './bench-wallets.ts'
import { addStrangers, ADDRESSES, fundAccount, insertTokens, TOKENS } from './fill-database.ts'

/** Other accounts in the database, by round. */
const STRANGERS = [1_000, 10_000, 100_000]
/** Several, since each may read sixty times a minute. */
const ACCOUNTS = 8
const REQUESTS = 16

/**
 * Cost of the balance of an account with a thousand addresses and twenty tokens on each, over HTTP, while other accounts
 * grow in number. It should not change. Then the reads of a wallet, with few addresses and with many.
 */
export async function benchHoldings(settings: Settings): Promise<UnratedRow[]> {
  settings.tell('starting the service')
  const service = await startOwnService({ indexer: { enabled: false }, http: { trustedProxies: 1 } })
  const databaseUrl = findRunningServer(service.dataDir)
  if (!databaseUrl) throw new Error('the service has no embedded database')
  const database = await connectDatabase(databaseUrl)
  const { chainId } = service.chain
  const samples = new Map<number, Sample[]>(STRANGERS.map((count) => [count, []]))
  let ofWallets: UnratedRow[] = []
  try {
    await insertTokens(database, chainId)
    const clients: Awaited<ReturnType<typeof openClient>>[] = []
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const client = await openClient({
        url: service.url,
        spendKey: generatePrivateKey(),
        viewKey: generatePrivateKey(),
      })
      await fundAccount(database, chainId, client.accountId)
      clients.push(client)
    }
    const { readCpu } = service
    let asked = 0
    const ask = async () => {
      const client = clients[(asked += 1) % ACCOUNTS]
      if (!client) return
      const { balances } = await client.ask<{ balances: unknown[] }>(
        'GET',
        `/v1/accounts/${client.accountId}/balance`,
      )
      if (balances.length !== TOKENS) throw new Error(`the balance has ${balances.length} entries`)
    }
    for (const strangers of STRANGERS) {
      settings.tell(`${ADDRESSES} addresses with ${TOKENS} tokens each, ${strangers} other accounts`)
      await addStrangers(database, chainId, strangers)
      for (let request = 0; request < ACCOUNTS; request += 1) await ask()
      for (let round = 0; round < settings.rounds; round += 1)
        samples.get(strangers)?.push(
          await takeSample(readCpu, REQUESTS, async () => {
            for (let request = 0; request < REQUESTS; request += 1) await ask()
          }),
        )
      // The next size needs another minute, for the limits.
      await new Promise((resolve) => setTimeout(resolve, 61_000))
    }
    const opened = { url: service.url, chainId, readCpu }
    ofWallets = [
      ...(await benchDust(settings, opened, database)),
      ...(await benchReview(settings, opened, database)),
      ...(await benchWallets(settings, opened, database)),
      ...(await benchProvenance(settings, opened, database)),
    ]
  } finally {
    await database.end()
    await service.stop()
  }
  const [smallest] = STRANGERS
  const ofStrangers = [...samples].map(([strangers, taken]) =>
    summarize(
      {
        name: `holdings.balance${strangers / 1_000}k`,
        baseline: strangers === smallest ? null : `holdings.balance${(smallest ?? 0) / 1_000}k`,
        compared: 'wall',
      },
      taken,
    ),
  )
  return [...ofStrangers, ...ofWallets]
}
