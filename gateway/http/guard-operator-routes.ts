import { isIP } from 'node:net'
import { HttpError } from '../errors.ts'
import type { HttpRequest, Route } from '../route/route.ts'
import { isProxied } from './proxy-headers.ts'

export interface OperatorGuard {
  /** Whether the operator's pages share a port with the API. A reverse proxy may then stand in front of both. */
  shared: boolean
  /** Host names under which the operator's port may be requested, besides addresses and names without a dot. */
  names: readonly string[]
}

/**
 * Protects the operator's pages from indirect access. That is a web page whose own name points to this address (DNS
 * rebinding), a script of another origin or port, or, on a shared port, a reverse proxy.
 */
export function guardOperatorRoutes(routes: readonly Route[], guard: OperatorGuard): Route[] {
  return routes.map((route) => ({
    ...route,
    ownOrigin: true,
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
  if (origin !== undefined && origin !== `http://${host ?? ''}`)
    throw new HttpError(403, 'The operator’s pages are not served to other origins')
  if (shared && isProxied(headers))
    throw new HttpError(403, 'The operator’s pages are not served through a proxy')
}

/** The host name of a URL; empty if the text is not a URL. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : ''
}

/** Whether a host name belongs to the operator. Anybody can register a name that contains a dot. */
function isOwnName(hostname: string, names: readonly string[]): boolean {
  if (hostname === '') return false
  return (
    isIP(hostname) !== 0 ||
    !hostname.includes('.') ||
    hostname.endsWith('.localhost') ||
    names.includes(hostname)
  )
}
