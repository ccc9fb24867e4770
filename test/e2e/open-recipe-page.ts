import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { Address } from 'viem'
import { build, type Rolldown } from 'vite'
import type { KnownChain, WalletKeys } from '../../schema/client/index.ts'
import type { ProofWithSignals } from '../../schema/client/pool.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CIRCUITS = `${ROOT}node_modules/@0xbow/privacy-pools-core-sdk/dist/node/artifacts`
const RECIPES = `${ROOT}test/e2e/examples/recipes`
const ENTRY = 'recipe-page'

/** The page of a wallet that consists of recipes. */
const MAIN = `
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { commitmentInput } from 'stealth-relay/client/pool'
import { openAccount } from '${RECIPES}/open-account.ts'
import { receivePayment } from '${RECIPES}/receive-payment.ts'
import { openProver } from '${RECIPES}/page/open-prover.ts'
import { PaymentPage } from '${RECIPES}/page/payment-page.tsx'
globalThis.open = async ({ url, keys, chain, terms }) => {
  const client = await openAccount(url, keys, chain)
  const page = createElement(PaymentPage, { client, terms })
  const root = createRoot(document.querySelector('main'))
  root.render(createElement(StrictMode, null, page))
  globalThis.leave = () => root.unmount()
  return (await receivePayment(client)).address
}
globalThis.prove = () => openProver().prove('commitment', commitmentInput({ value: 1n, label: 2n, nullifier: 3n, secret: 4n }))
`

/** Actions of the page on the test's demand. */
interface RecipePage {
  /** Shows the payment page of the wallet. @returns A fresh address of it. */
  open(wallet: { url: string; keys: WalletKeys; chain: KnownChain; terms: object }): Promise<Address>
  /** Goes to another page of the wallet. */
  leave(): Promise<void>
  /** A proof of the small circuit, made in a worker. */
  prove(): Promise<ProofWithSignals>
}

/** Builds the page as a wallet developer would, without settings. */
async function buildPage(): Promise<Map<string, string | Uint8Array>> {
  const entry = {
    name: ENTRY,
    resolveId: (id: string) => (id === ENTRY ? `${RECIPES}/${ENTRY}.js` : null),
    load: (id: string) => (id.endsWith(`${ENTRY}.js`) ? MAIN : null),
  }
  const built = (await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [entry],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: ENTRY, output: { entryFileNames: 'main.js' } },
    },
  })) as Rolldown.RolldownOutput
  return new Map(
    built.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  )
}

/** Serves the page by a strict policy on an origin of its own, and opens it. */
export async function openRecipePage(browser: Browser, serviceUrl: string) {
  const files = await buildPage()
  const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' ${serviceUrl}`
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const send = (type: string, body: string | Uint8Array) =>
      answer.setHeader('content-type', type).setHeader('content-security-policy', policy).end(body)
    const script = files.get(pathname)
    if (script !== undefined) return send('text/javascript', script)
    if (pathname === '/')
      return send('text/html', '<main></main><script type="module" src="/main.js"></script>')
    readFile(`${CIRCUITS}/${pathname.split('/').at(-1)}`).then(
      (circuit) => send('application/octet-stream', circuit),
      () => answer.writeHead(404).end(),
    )
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const context = await browser.newContext()
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`)
  await page.waitForFunction('globalThis.prove')
  return {
    page,
    faults,
    run: runIn(page),
    async close() {
      await context.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const runIn =
  (page: Page) =>
  <Name extends keyof RecipePage>(name: Name, ...args: Parameters<RecipePage[Name]>) =>
    page.evaluate(
      ([name, args]) =>
        (globalThis as unknown as Record<string, (...given: unknown[]) => unknown>)[name]?.(...args),
      [name, args] as const,
    ) as ReturnType<RecipePage[Name]>
