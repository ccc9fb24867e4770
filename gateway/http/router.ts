import { HttpError } from '../errors.ts'
import type { Route } from '../route/route.ts'
import { badRequest } from '../../relayer/errors.ts'

export interface RouteMatch {
  route: Route
  params: Record<string, string>
}

export interface Router {
  /** @throws HttpError 404 if no route has the path, 405 with Allow if a route has it for another method. */
  match(method: string, path: string): RouteMatch
  /** Methods of a path, HEAD and OPTIONS included; empty if no route has the path. */
  methodsOf(path: string): string[]
  /** True if only pages of the service's own origin may read that path. */
  isOwnOrigin(path: string): boolean
}

/** Finds routes by path; a trailing slash makes no difference. Fixed segments win over parameters. */
export function createRouter(routes: readonly Route[]): Router {
  const fixed = new Map<string, Route[]>()
  /** Routes with parameters by their number of segments, so that only a few have to be compared with a path. */
  const patterns = new Map<number, { segments: string[]; route: Route }[]>()
  for (const route of routes) {
    const path = withoutTrailingSlash(route.path)
    if (path.includes('{')) {
      const segments = path.split('/')
      patterns.set(segments.length, [...(patterns.get(segments.length) ?? []), { segments, route }])
    } else fixed.set(path, [...(fixed.get(path) ?? []), route])
  }

  function candidates(path: string): RouteMatch[] {
    const plain = withoutTrailingSlash(path)
    const routes = fixed.get(plain)
    if (routes) return routes.map((route) => ({ route, params: {} }))
    const segments = plain.split('/')
    return (patterns.get(segments.length) ?? []).flatMap((pattern) => {
      const params = matchSegments(pattern.segments, segments)
      return params ? [{ route: pattern.route, params }] : []
    })
  }

  const methodsOf = (path: string): string[] => {
    const methods = candidates(path).map(({ route }) => route.method)
    if (methods.length === 0) return []
    return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])]
  }

  return {
    methodsOf,
    isOwnOrigin: (path) => fixed.get(withoutTrailingSlash(path))?.some(({ ownOrigin }) => ownOrigin) ?? false,
    match(method, path) {
      const wanted = method === 'HEAD' ? 'GET' : method
      const found = candidates(path).find(({ route }) => route.method === wanted)
      if (found) return found
      const allow = methodsOf(path).join(', ')
      if (!allow) throw new HttpError(404, 'No such path; the API reference is at /docs')
      throw new HttpError(405, `This path answers to ${allow}`, { headers: { allow } })
    },
  }
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | null {
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const found = segments[index] ?? ''
    if (!expected.startsWith('{')) {
      if (expected !== found) return null
    } else if (found === '') return null
    else params[expected.slice(1, -1)] = decodeSegment(found)
  }
  return params
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw badRequest('The path is not percent-encoded properly')
  }
}
