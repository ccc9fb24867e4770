import { createAppRegistry } from '../../relayer/account/apps/app-registry.ts'
import { appsConfig } from '../../relayer/account/apps/config.ts'
import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { connectDatabase } from '../../db/connect-database.ts'
import { createMemoryState } from '../../db/shared-state/create-memory-state.ts'
import type { SharedState } from '../../db/shared-state/shared-state.ts'
import { serviceConfig } from '../../gateway/config/config.ts'
import { createIdempotency } from '../../gateway/idempotency/create-idempotency.ts'
import { createLogger } from '../../gateway/logging.ts'
import { createCollectibles } from '../../relayer/account/collectible/collectibles.ts'
import { createAccounts } from '../../relayer/account/profile/create-accounts.ts'
import { createFeeWaivers } from '../../relayer/account/fee-waivers/fee-waivers.ts'
import { createReferrals } from '../../relayer/account/referrals/create-referrals.ts'
import { createAddresses } from '../../relayer/account/addresses/create-addresses.ts'
import { createAddressFacts } from '../../relayer/account/balances/address-facts.ts'
import { loadStealthCurve } from '../../proving/derivation/stealth-curve.ts'
import { createVault } from '../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../relayer/identity/key-wrapper.ts'
import { openIdentity } from '../../relayer/identity/open-identity.ts'
import { createTransientSecrets } from '../../relayer/identity/transient-secrets.ts'
import type { TestDatabase } from '../harness/open-test-database.ts'
import { openGateway, type OpenGateway } from './open-gateway.ts'

/** No chain is watched here, so nothing is held that would need a name or a price. */
const NO_MARKET = {
  tokens: { learnMany: async () => new Map(), isListed: () => false, maxUnlisted: 200 },
  prices: { read: async () => new Map() },
}

const masterKey = randomBytes(32)

/** A gateway over all that accounts need and no chain; those on one database are instances of one service. */
export async function openAccountsGateway(
  database: Pick<TestDatabase, 'url'>,
  http: Record<string, unknown> = {},
  sharedState?: SharedState,
): Promise<OpenGateway> {
  const logger = createLogger({ level: 'silent' })
  const config = serviceConfig.parse({ http })
  const pool = await connectDatabase(database.url)
  onTestFinished(() => pool.end())
  const vault = createVault([createKeyWrapper(masterKey)])
  const { identity, stop } = await openIdentity({
    database: pool,
    vault,
    config: config.identity,
    clients: [],
    logger,
  })
  onTestFinished(stop)
  const idempotency = createIdempotency({
    database: pool,
    secrets: createTransientSecrets(masterKey),
    logger,
  })
  onTestFinished(() => idempotency.stop())
  return openGateway(
    http,
    {
      identity,
      collectibles: createCollectibles(pool, []),
      accounts: createAccounts({
        database: pool,
        identity,
        vault,
        referrals: createReferrals(pool, config.referrals),
        feeWaivers: createFeeWaivers(pool, config.feeWaivers, createTransientSecrets(randomBytes(32))),
        secrets: createTransientSecrets(randomBytes(32)),
        config: config.accounts,
      }),
      addresses: createAddresses({
        database: pool,
        describeApp: createAppRegistry(appsConfig.parse({}), { loopback: false }).name,
        vault,
        curve: await loadStealthCurve(),
        facts: createAddressFacts({ database: pool, ...NO_MARKET }),
        sharedState: createMemoryState(logger),
        config: config.addresses,
      }),
    },
    { idempotency, sharedState: sharedState ?? createMemoryState(logger) },
  )
}
