import { createAccounts } from '../../relayer/account/profile/create-accounts.ts'
import { createFeeWaivers } from '../../relayer/account/fee-waivers/fee-waivers.ts'
import { createReferrals } from '../../relayer/account/referrals/create-referrals.ts'
import { LOCAL_OAUTH_CLIENT } from '../../relayer/identity/config.ts'
import { openIdentity } from '../../relayer/identity/open-identity.ts'
import type { Collection } from '../../relayer/account/collectible/config.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Foundations } from './foundations.ts'

export type AccountParts = Awaited<ReturnType<typeof openAccounts>>

/** Sign-in and accounts. */
export async function openAccounts({ config, logger, shutdown, pool, vault, secrets }: Foundations) {
  const { storage } = config
  const { identity, stop } = await openIdentity({
    database: pool,
    vault,
    config: config.identity,
    clients: config.identity.oauthClients ?? (storage.databaseUrl ? [] : [LOCAL_OAUTH_CLIENT]),
    logger,
  })
  shutdown.add('identity', stop)
  const { names } = config
  const referrals = createReferrals({ database: pool, config: config.referrals, parentName: names.parent })
  const collections = demandServed(
    config.collectibles ?? [],
    new Set(config.chains.map(({ chainId }) => chainId)),
  )
  const feeWaivers = createFeeWaivers({ database: pool, config: config.feeWaivers, collections, secrets })
  const accounts = createAccounts({
    database: pool,
    identity,
    vault,
    referrals,
    feeWaivers,
    secrets,
    config: config.accounts,
  })
  return { identity, names, referrals, collections, feeWaivers, accounts }
}

/** @throws ConfigError for a collection on an unserved chain. */
function demandServed(
  collections: readonly Collection[],
  served: ReadonlySet<number>,
): readonly Collection[] {
  const other = collections.find(({ chainId }) => !served.has(chainId))
  if (other) throw new ConfigError(`collectibles: chain ${other.chainId} is not among chains`)
  return collections
}
