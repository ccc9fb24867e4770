import type { Route } from '../route/route.ts'
import { extensionsOf } from './failure-extensions.ts'
import type { GraphqlOptions } from './graphql-routes.ts'

/**
 * The routes of `/graphql`, whose modules (a fifth of the service's) are loaded and whose schema is built with the first request;
 * before the service listens where documents are configured, so that a wrong one keeps it from starting.
 */
export async function lateGraphqlRoutes(options: GraphqlOptions): Promise<Route[]> {
  let routes: Promise<readonly Route[]> | undefined
  const load = () =>
    (routes ??= import('./graphql-routes.ts').then(({ graphqlRoutes }) => graphqlRoutes(options)))
  if (options.config.documents !== undefined) await load()
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
