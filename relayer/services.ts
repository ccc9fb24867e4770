import { openAccounts, type AccountSettings, type KindFacts } from './account/open-accounts.ts'
import { openActivity } from './activity/open-activity.ts'
import type { openBlockReader } from './chain/indexer/open-block-reader.ts'
import { describeChains } from './chain/nodes/supported-chains.ts'
import { openChains, type ChainSettings } from './chain/open-chains.ts'
import { LOCAL_OAUTH_CLIENT, type IdentityConfig } from './identity/config.ts'
import { openIdentity } from './identity/open-identity.ts'
import type { ServiceKeys } from './identity/transient-secrets.ts'
import { openInspection, type InspectionSettings } from './inspect/open-inspection.ts'
import { openTokens } from './market/open-tokens.ts'
import type { PricesConfig } from './market/prices/config.ts'
import { openPools, type PoolServices } from './pool/open-pools.ts'
import type { WithdrawalsConfig } from './pool/relay/config.ts'
import type { Withdrawals } from './pool/relay/withdrawals.ts'
import type { ServiceBase } from './service-base.ts'
import { createConversionCosts } from './transact/kinds/pool-deposit/estimate-deposit.ts'
import { kindOf } from './transact/kinds/quote-kinds.ts'
import { openTransact, type TransactSettings } from './transact/open-transact.ts'
import { rememberContracts } from './transact/remember-contracts.ts'
import type { QuoteParts } from './transact/quotes/prepare-quote.ts'

/** The settings of all districts. */
export interface ServiceSettings
  extends ChainSettings, Omit<AccountSettings, 'admitsLoopback'>, TransactSettings, InspectionSettings {
  identity: IdentityConfig
  names: AccountSettings['names']
  prices: PricesConfig
  withdrawals: WithdrawalsConfig
}

/** The opened districts that the room above observes, their services, and their start. */
export type OpenedServices = Awaited<ReturnType<typeof openServices>>

/** Everything that the API can ask of the service; opened once and passed explicitly. */
export type Services = OpenedServices['services']

/**
 * Opens every district, each over those above it in this list, and starts none. `start()` starts them: by then all have
 * registered with those below. The shutdown list closes them in reverse.
 */
export async function openServices(
  base: ServiceBase,
  keys: ServiceKeys,
  config: ServiceSettings,
  given: {
    /** Opens the reader of blocks. */
    openReader: typeof openBlockReader
    /** Writes the origins of an answer, in the form that the API has. */
    provenanceWriter: QuoteParts['provenanceWriter']
    /** True on a devnet: pages of 127.0.0.1 are apps. */
    admitsLoopback: boolean
  },
) {
  const followed = await rememberContracts(base, config.chains)
  const chain = openChains(base, config, followed, given.openReader)
  const identity = await openSignIn(base, keys, config)
  const market = await openMarket(base, chain.chains, config)
  const pool = openPools(base, keys, chain, market, config)
  const account = await openAccounts(
    base,
    keys,
    { identity, chain, market, pool },
    { ...config, admitsLoopback: given.admitsLoopback },
    describeKinds(pool, config),
  )
  const below = { base, keys, chain, market, pool, account }
  const transact = await openTransact(below, config, followed.orchestrators, given.provenanceWriter)
  const activity = openActivity(base, keys, below, {
    chains: config.chains,
    stuckAfterMs: config.transact.submissions.stuckAfterMs,
  })
  const inspection = await openInspection(base, chain, market, pool.relayerChains, config)
  const { supportedPools, accountPools } = pool
  const withdrawals: Withdrawals = pool.withdrawals
  return {
    chain,
    pool,
    services: {
      identity,
      supportedChains: describeChains(config.chains),
      tokens: market.tokens,
      withdrawals,
      supportedPools,
      accountPools,
      ...account.services,
      ...transact.services,
      ...activity,
      ...inspection,
    },
    async start() {
      await chain.start()
      await pool.start()
      await chain.startSending()
      market.start()
      await chain.startIndexing()
      await transact.start()
    },
  }
}

/** Facts about kinds of quotes for the accounts, which lie below the kinds. */
const describeKinds = ({ relayerChains }: PoolServices, { transact }: ServiceSettings): KindFacts => ({
  actionOf: (kind) => kindOf(kind).activity(true).kind,
  conversionCosts: (feeWaivers) =>
    createConversionCosts({
      feeWaivers,
      sendingPriceOf: (chainId) => relayerChains.get(chainId)?.gasPrices.sendingPrice() ?? null,
      config: transact,
    }),
})

/** Opens sign-in. Without a database of the operator's, the documented local client may sign in by OAuth. */
async function openSignIn(
  { database, logger, shutdown }: ServiceBase,
  { vault }: ServiceKeys,
  config: ServiceSettings,
) {
  const isLocal = !config.storage.databaseUrl
  const { identity, stop } = await openIdentity({
    database,
    vault,
    config: config.identity,
    clients: config.identity.oauthClients ?? (isLocal ? [LOCAL_OAUTH_CLIENT] : []),
    logger,
  })
  shutdown.add('identity', stop)
  return identity
}

async function openMarket(
  { database, logger, shutdown }: ServiceBase,
  chains: Parameters<typeof openTokens>[0]['chains'],
  config: Parameters<typeof openTokens>[0]['config'],
) {
  const desk = await openTokens({ database, chains, config, logger })
  shutdown.add('prices', desk.stop)
  return desk
}
