import type { Route } from '../route/route.ts'
import { extensionsOf } from './failure-extensions.ts'
import type { SocketOptions, Upgrade } from './socket-door.ts'
import type { GraphqlOptions, LoadedGraphql } from './graphql-routes.ts'

/**
 * Loading blocks the event loop for some tenths of a second. After this delay the first clients have been served, and
 * no request pays for it.
 */
const LOADED_AFTER_MS = 30_000

/**
 * The routes of `/graphql`. Their modules (a fifth of the service's) load, and their schema is built, soon after the
 * start or at the first request. With configured documents they load before the service listens, so that an invalid one
 * prevents the start.
 */
export async function lateGraphqlRoutes(options: GraphqlOptions): Promise<LoadedGraphql> {
  let loading: Promise<LoadedGraphql> | undefined
  const load = () =>
    (loading ??= import('./graphql-routes.ts').then(({ graphqlRoutes }) => graphqlRoutes(options)))
  if (options.config.documents !== undefined) await load()
  else {
    // Requests report the error.
    const timer = setTimeout(() => void load().catch(() => undefined), LOADED_AFTER_MS).unref()
    options.shutdown.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  const route = (method: Route['method'], path: string): Route => ({
    method,
    path,
    name: 'graphql',
    async handle(request) {
      const found = (await load()).routes.find((one) => one.method === method && one.path === path)
      if (!found) throw new Error(`GraphQL has no ${method} ${path}`)
      return found.handle(request)
    },
    failureBody: (failure) => ({
      errors: [{ message: failure.message, extensions: extensionsOf(failure) }],
    }),
  })
  const routes = [
    ...(['GET', 'POST'] as const).map((method) => route(method, '/graphql')),
    ...(['PUT', 'GET', 'POST', 'DELETE'] as const).map((method) => route(method, '/graphql/stream')),
  ]
  return { routes, run: async (...operation) => (await load()).run(...operation) }
}

/** Opens the door for WebSockets when the first one comes: its modules load as late as those of the routes. */
export function lateSocketDoor(options: SocketOptions): Upgrade {
  let door: Promise<Upgrade> | undefined
  return (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    door ??= import('./socket-door.ts').then(({ createSocketDoor }) => createSocketDoor(options))
    door.then(
      (open) => open(request, socket, head),
      () => socket.destroy(),
    )
  }
}
