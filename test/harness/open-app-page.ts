import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { announceProvider } from '../../schema/client/provider/announce-provider.ts'
import type { AppEvent, AppProvider } from '../../schema/client/provider/app-provider.ts'
import type { App, Refusal } from './app-page.ts'

const BRIDGE = 'askWallet'
const RECEIVER = 'hearWallet'

/** A page of an app in a browser whose wallet is the given one. */
export interface AppPage {
  page: Page
  /**
   * Runs an action of the page.
   * @returns The page's result, a refusal included.
   */
  run<Name extends keyof App>(
    method: Name,
    ...args: Parameters<App[Name]>
  ): Promise<Awaited<ReturnType<App[Name]>> & Partial<Refusal>>
  close(): Promise<void>
}

/** Creates the provider of a page; only the browser says its origin. */
export type CreateProvider = (
  origin: string,
  notify: (event: AppEvent, detail: unknown) => void,
) => AppProvider

/** Opens a page with a wallet, as an extension would add it: a bridge, and a script that runs before the page's own. */
export async function openAppPage(
  browser: Browser,
  url: string,
  createProvider: CreateProvider,
): Promise<AppPage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const providers = new Map<string, AppProvider>()

  function providerOf(origin: string): AppProvider {
    const notify = (event: AppEvent, detail: unknown) => {
      const told = page.evaluate(
        ({ receiver, event, detail }) =>
          (globalThis as unknown as Record<string, (...heard: unknown[]) => void>)[receiver]?.(event, detail),
        { receiver: RECEIVER, event, detail },
      )
      // A page that is gone receives nothing.
      told.catch(() => undefined)
    }
    const provider = providers.get(origin) ?? createProvider(origin, notify)
    providers.set(origin, provider)
    return provider
  }

  await page.exposeBinding(BRIDGE, ({ frame }, asked: unknown) =>
    frame === page.mainFrame()
      ? providerOf(new URL(frame.url()).origin).answer(asked)
      : { error: { code: 4100, message: 'only the page itself may ask' } },
  )
  const info = { uuid: randomUUID(), name: 'Test wallet', icon: 'data:,', rdns: 'example.wallet' }
  await page.addInitScript(announceProvider, { bridge: BRIDGE, receiver: RECEIVER, info })
  await page.goto(url)
  await page.waitForFunction('globalThis.run')
  return {
    page,
    run: (method, ...args) =>
      page.evaluate(
        ([method, args]) =>
          (globalThis as unknown as { run(...asked: unknown[]): Promise<never> }).run(method, args),
        [method, args] as const,
      ),
    close: () => context.close(),
  }
}
