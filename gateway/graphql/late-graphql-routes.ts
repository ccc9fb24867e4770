import type { Route } from '../route/route.ts'
import { extensionsOf } from './failure-extensions.ts'
import type { GraphqlOptions } from './graphql-routes.ts'

/** Loading holds the event loop for some tenths of a second: once, when those who waited for the start are served, instead of in a request. */
const LOADED_AFTER_MS = 30_000

/**
 * The routes of `/graphql`, whose modules (a fifth of the service's) are loaded and whose schema is built soon after the start, or
 * with the first request if that comes earlier; before the service listens where documents are configured, so that a wrong one
 * keeps it from starting.
 */
export async function lateGraphqlRoutes(options: GraphqlOptions): Promise<Route[]> {
  let routes: Promise<readonly Route[]> | undefined
  const load = () =>
    (routes ??= import('./graphql-routes.ts').then(({ graphqlRoutes }) => graphqlRoutes(options)))
  if (options.config.documents !== undefined) await load()
  else {
    // Whoever asks is told what is wrong.
    const timer = setTimeout(() => void load().catch(() => undefined), LOADED_AFTER_MS).unref()
    options.shutdown.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  const route = (method: Route['method']): Route => ({
    method,
    path: '/graphql',
    name: 'graphql',
    async handle(request) {
      const found = (await load()).find((one) => one.method === method)
      if (!found) throw new Error(`GraphQL has no ${method}`)
      return found.handle(request)
    },
    failureBody: (failure) => ({
      errors: [{ message: failure.message, extensions: extensionsOf(failure) }],
    }),
  })
  return [route('GET'), route('POST')]
}
