import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** The wallet in a browser of its own, whose user has a passkey device. */
export interface WalletInBrowser {
  page: Page
  context: BrowserContext
  /** Requests to other origins, errors, and violations of the page's policy. */
  faults: string[]
  close(): Promise<void>
}

/** For a machine that is several times overloaded: whatever is waited for still comes. */
const PATIENCE_MS = 120_000

/** Opens the wallet's page. The passkey device is virtual: it agrees by itself, and has WebAuthn's PRF. */
export async function openWalletPage(
  browser: Browser,
  serviceUrl: string,
  options: BrowserContextOptions = {},
): Promise<WalletInBrowser> {
  const url = serviceUrl.replace('127.0.0.1', 'localhost')
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults: string[] = []
  watchFaults(page, url, faults)
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: true,
    },
  })
  await page.goto(`${url}/wallet`)
  return { page, context, faults, close: () => context.close() }
}

/** Adds the faults of a page of the wallet as they come. */
export function watchFaults(page: Page, url: string, faults: string[]): void {
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(?:data|blob):/.test(request.url())) faults.push(request.url())
  })
  page.on('console', (message) => {
    // The browser notes refusals and lost connections, which the page shows in words.
    const isRefusal = /the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED/.test(
      message.text(),
    )
    if (message.type() === 'error' && !isRefusal) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
}
