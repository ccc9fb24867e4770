import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createAppRegistry } from '../../../../relayer/account/apps/app-registry.ts'
import { appsConfig } from '../../../../relayer/account/apps/config.ts'
import { createProvenance } from '../../../../relayer/account/provenance/create-provenance.ts'
import { chainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import { createTransientSecrets } from '../../../../relayer/identity/transient-secrets.ts'
import { pricesConfig } from '../../../../relayer/market/prices/config.ts'
import { createUsdPrices } from '../../../../relayer/market/prices/create-usd-prices.ts'
import { openTokens } from '../../../../relayer/market/open-tokens.ts'
import { tokensConfig } from '../../../../relayer/market/tokens/config.ts'
import { createPoolBooks } from '../../../../relayer/pool/book/pool-books.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { openOwner, seedTokens, writeHistory } from './seed-history.ts'

const logger = pino({ level: 'silent' })

/** A database with one account, and the parts that its reads need. */
export async function openOwnerWorld() {
  const database = await openTestDatabase()
  const desk = await openTokens({
    database: database.pool,
    chains: new Map(),
    config: { catalog: tokensConfig.parse({}), prices: pricesConfig.parse({}) },
    logger,
  })
  const owner = await openOwner(database.pool, await seedTokens(database.pool))
  const vault = createVault([createKeyWrapper(randomBytes(32))])

  /** The parts of a fresh instance of the service, with an empty cache. */
  function openParts() {
    const apps = createAppRegistry(appsConfig.parse({}), { loopback: false })
    const prices = createUsdPrices({
      database: database.pool,
      config: pricesConfig.parse({}),
      // Rows of it count; no test asks the source itself.
      sources: [{ name: 'test', read: async () => {} }],
      fixed: new Map(),
      fallback: new Map(),
      watched: async () => [],
      logger,
    })
    const sources = { database: database.pool, tokens: desk.tokens, prices }
    return {
      ...sources,
      apps,
      chains: [1, 10].map((chainId) =>
        chainConfig.parse({ chainId, name: `Chain ${chainId}`, rpcUrls: ['http://127.0.0.1:9'] }),
      ),
      books: createPoolBooks(database.pool, vault),
      provenance: createProvenance({
        ...sources,
        secrets: createTransientSecrets(new Uint8Array(32)),
        actionOf: (kind) => kind,
        describeApp: apps.name,
      }),
    }
  }

  /** Pays the owner's address A from outside, in a block of chain 1. */
  const receive = (amount: number, block: number) =>
    writeHistory(
      database.pool,
      owner,
      [
        {
          chainId: 1,
          movements: [{ from: 'x', to: 'A', amount, token: 'T' }],
          relays: null,
          delivers: null,
        },
      ],
      block,
    )

  return {
    database: database.pool,
    owner,
    receive,
    vault,
    openParts,
    async stop() {
      await desk.stop()
      await database.drop()
    },
  }
}
