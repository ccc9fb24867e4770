import { badRequest } from '../../errors.ts'
import type { DescribeApp, UsedApp } from '../addresses/addresses.ts'
import { type AppsConfig, isAppOrigin } from './config.ts'
import { appBlocked } from './errors.ts'

/** The operator's knowledge of an app. */
export interface KnownApp extends UsedApp {
  recognitionStatus: 'recognised' | 'unknown' | 'blocked'
  /** True if the operator listed exactly this origin. It vouches for no transaction. */
  verified: boolean
}

/** The apps that the operator knows. An app's own description of itself is never used. */
export interface AppRegistry {
  /** Describes any text; a text that is no origin is `unknown`. */
  describe(origin: string): KnownApp
  /** Returns the same without the recognition. */
  name: DescribeApp
  /**
   * Returns the app if it may be served.
   * @throws ServiceError `bad-request` if the text is no origin, `forbidden` APP_BLOCKED.
   */
  demand(origin: string): KnownApp
}

/** Creates the registry from the configuration. @param loopback True on a devnet: pages of 127.0.0.1 are apps. */
export function createAppRegistry(config: AppsConfig, { loopback }: { loopback: boolean }): AppRegistry {
  const recognised = new Map(config.recognised.map((app) => [app.origin, app]))
  const blocked = new Set(config.blocked)

  function describe(origin: string): KnownApp {
    const known = recognised.get(origin)
    const host = URL.parse(origin)?.host
    return {
      origin,
      displayName: known?.displayName ?? (host === undefined || host === '' ? origin : host),
      iconUrl: known?.iconUrl ?? null,
      recognitionStatus: blocked.has(origin) ? 'blocked' : known ? 'recognised' : 'unknown',
      verified: known !== undefined && !blocked.has(origin),
    }
  }

  return {
    describe,
    name(origin) {
      const { displayName, iconUrl } = describe(origin)
      return { origin, displayName, iconUrl }
    },
    demand(origin) {
      if (!isAppOrigin(origin, { loopback }))
        throw badRequest(
          'origin: expected the origin of a page as a browser writes it, such as https://app.example',
        )
      const app = describe(origin)
      if (app.recognitionStatus === 'blocked') throw appBlocked()
      return app
    },
  }
}
