import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const HTML = '<!doctype html><title>App</title><body><script type="module" src="/app-page.js"></script>'
/** `app-page.ts` has a wallet in its browser, `window-app-page.ts` one that is a page. */
type Page = 'app-page.ts' | 'window-app-page.ts'
const scripts = new Map<Page, Promise<string>>()

/** The script of a page with viem in it, as a build tool makes it for browsers. */
async function bundlePage(page: Page): Promise<string> {
  const input = fileURLToPath(new URL(page, import.meta.url))
  const build = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false })
    return output[0].code
  } finally {
    await build.close()
  }
}

/** Starts the site of an app on a port of its own, so that each is another origin. */
export async function startAppSite(
  page: Page = 'app-page.ts',
): Promise<{ origin: string; stop(): Promise<void> }> {
  const bundled = scripts.get(page) ?? bundlePage(page)
  scripts.set(page, bundled)
  const code = await bundled
  const server = createServer(({ url }, answer) => {
    const isScript = url === '/app-page.js'
    answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    answer.end(isScript ? code : HTML)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
