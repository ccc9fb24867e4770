interface Reply {
  header(name: string, value: string): Reply
  send(body: string): void
}

interface ScalarRoute {
  url: string
  handler(request: null, reply: Reply): void
}

/** The three members of a Fastify server that the plugin uses. */
type Register = (
  server: { route(route: ScalarRoute): void; hasPlugin(): boolean; initialConfig: object },
  options: { configuration: { url: string } },
  done: () => void,
) => void

/**
 * Returns the script of the API reference, for browsers. Its package offers the script as a route of a Fastify plugin
 * only. `@scalar/api-reference`, which has it as a file, brings 310 MB of packages with it.
 * @throws Error if the plugin no longer has such a route.
 */
export async function readScalarScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const routes: ScalarRoute[] = []
  const server = {
    route: (route: ScalarRoute) => routes.push(route),
    hasPlugin: () => false,
    initialConfig: {},
  }
  await new Promise<void>((resolve) =>
    (plugin as unknown as Register)(server, { configuration: { url: '/openapi.json' } }, resolve),
  )
  const script = routes.find(({ url }) => url.endsWith('.js'))
  if (!script) throw new Error('@scalar/fastify-api-reference offers no script')
  return new Promise((resolve) => {
    const reply: Reply = { header: () => reply, send: (body) => resolve(Buffer.from(body)) }
    script.handler(null, reply)
  })
}
