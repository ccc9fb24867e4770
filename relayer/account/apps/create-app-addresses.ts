import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import {
  countApps,
  findAddressOfApp,
  isAppTaken,
  recordDappUse,
} from '../../../db/account/addresses/dapp-uses.ts'
import { serializeByKey } from '../../concurrency/coalesce-runs.ts'
import type { Addresses } from '../addresses/addresses.ts'
import type { AppRegistry, KnownApp } from './app-registry.ts'
import { tooManyApps } from './errors.ts'

const MAX_APPS = 1_000

/** The address by which an app knows an account. */
export interface AppAddress {
  address: Address
  derivationNonce: number
  /** True if the app had no address of the account before. */
  isNew: boolean
  app: KnownApp
}

/** The addresses that apps are shown: one per app and account. */
export interface AppAddresses {
  /**
   * Returns the app's existing address, else a new one that is reserved for this app.
   * @throws ServiceError `bad-request` if the text is no origin, or TOO_MANY_APPS; `forbidden` APP_BLOCKED.
   */
  connect(accountId: string, origin: string): Promise<AppAddress>
}

/**
 * Creates the addresses over PostgreSQL. Concurrent connections of one app get the same address. An address that a
 * crash left without its app stays unused.
 */
export function createAppAddresses(
  database: DatabasePool,
  addresses: Addresses,
  registry: AppRegistry,
): AppAddresses {
  const inTurn = serializeByKey()

  async function connect(accountId: string, app: KnownApp): Promise<AppAddress> {
    const known = await findAddressOfApp(database, accountId, app.origin)
    if (known) {
      await recordDappUse(database, { accountId, address: known.address, origin: app.origin })
      return { ...known, isNew: false, app }
    }
    if ((await countApps(database, accountId)) >= MAX_APPS) throw tooManyApps()
    const { address, derivationNonce } = await addresses.issue(accountId, 'app')
    await recordDappUse(database, { accountId, address, origin: app.origin })
    return { address, derivationNonce, isNew: true, app }
  }

  return {
    async connect(accountId, origin) {
      const app = registry.demand(origin)
      return inTurn(accountId, () =>
        connect(accountId, app).catch((error: unknown) => {
          // Another instance connected the app first: use its address.
          if (isAppTaken(error)) return connect(accountId, app)
          throw error
        }),
      )
    },
  }
}
