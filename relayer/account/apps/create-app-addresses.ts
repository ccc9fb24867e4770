import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import {
  countApps,
  findAddressOfApp,
  isAppTaken,
  recordDappUse,
} from '../../../db/account/addresses/dapp-uses.ts'
import { serializeByKey } from '../../concurrency/serialize-by-key.ts'
import type { Addresses } from '../addresses/addresses.ts'
import type { AppRegistry, KnownApp } from './app-registry.ts'
import { tooManyApps } from './errors.ts'

const MAX_APPS = 1_000

/** The address by which an app knows an account. */
export interface AppAddress {
  address: Address
  derivationNonce: number
  /** The app was not shown one before. */
  isNew: boolean
  app: KnownApp
}

/** The addresses that apps are shown, one an app and account. */
export interface AppAddresses {
  /**
   * The address for an app: the one that it knows, else a new one that nobody else is ever given.
   * @throws ServiceError `bad-request` for no origin, or TOO_MANY_APPS; `forbidden` APP_BLOCKED.
   */
  connect(accountId: string, origin: string): Promise<AppAddress>
}

/**
 * Creates the addresses over PostgreSQL. Two connections of one app at the same time get the same address; an address that a
 * crash left without its app stays unused.
 */
export function createAppAddresses(parts: {
  database: DatabasePool
  addresses: Pick<Addresses, 'issue'>
  registry: AppRegistry
}): AppAddresses {
  const { database, addresses, registry } = parts
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
          // Another instance was faster: its address is the app's now.
          if (isAppTaken(error)) return connect(accountId, app)
          throw error
        }),
      )
    },
  }
}
