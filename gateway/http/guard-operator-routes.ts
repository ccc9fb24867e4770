import { isIP } from 'node:net'
import { HttpError } from '../errors.ts'
import type { HttpRequest, Route } from '../route/route.ts'

export interface OperatorGuard {
  /** The operator's pages share a port with the API, so a reverse proxy may stand in front of both. */
  shared: boolean
  /** Names by which the operator's door may be asked, besides addresses and names without a dot. */
  names: readonly string[]
}

/** What reverse proxies tell of themselves or of the client, each in its own way. */
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip)$/

/**
 * Lets nobody read the operator's pages through somebody else: not through a web page whose own name was pointed at this
 * address (DNS rebinding), not through a script of another origin, and on the shared port not through a reverse proxy.
 */
export function guardOperatorRoutes(routes: readonly Route[], guard: OperatorGuard): Route[] {
  return routes.map((route) => ({
    ...route,
    handle: async (request) => {
      demandDirect(request, guard)
      return route.handle(request)
    },
  }))
}

function demandDirect({ headers }: HttpRequest, { shared, names }: OperatorGuard): void {
  const { host, origin } = headers
  if (host !== undefined && !isOwnName(hostnameOf(`http://${host}`), names))
    throw new HttpError(403, 'The operator’s pages are not served under this name')
  if (origin !== undefined && hostnameOf(origin) !== hostnameOf(`http://${host ?? ''}`))
    throw new HttpError(403, 'The operator’s pages are not served to other origins')
  if (shared && Object.keys(headers).some((name) => PROXY_HEADER.test(name)))
    throw new HttpError(403, 'The operator’s pages are not served through a proxy')
}

/** Empty for what is no address of the web. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : ''
}

/** A name that anybody could register has a dot in it. */
function isOwnName(hostname: string, names: readonly string[]): boolean {
  if (hostname === '') return false
  return (
    isIP(hostname) !== 0 ||
    !hostname.includes('.') ||
    hostname.endsWith('.localhost') ||
    names.includes(hostname)
  )
}
