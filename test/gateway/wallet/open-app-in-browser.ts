import type { BrowserContext, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startAppSite } from '../../harness/start-app-site.ts'
import type { AppSettings } from '../../harness/window-app-page.ts'
import { watchFaults } from './open-wallet-page.ts'

/** The page of an app, of an origin of its own, in the browser of the wallet's user. */
export interface AppInBrowser {
  page: Page
  origin: string
  /** Faults of the windows of the wallet. */
  faults: string[]
  press(button: string): Promise<void>
  /** Presses a button that opens the wallet's window. */
  openWindow(button: string): Promise<Page>
  /** The answer to the button, or the detail of the event; `place` counts those of one name from 0. */
  readAnswer(name: string, place?: number): Promise<unknown>
}

/** Opens the page. Its origin is of another site than the wallet's. */
export async function openAppInBrowser(
  context: BrowserContext,
  settings: AppSettings,
): Promise<AppInBrowser> {
  const site = await startAppSite('window-app-page.ts')
  onTestFinished(() => site.stop())
  const origin = site.origin.replace('localhost', '127.0.0.1')
  const page = await context.newPage()
  await page.goto(`${origin}/#${encodeURIComponent(JSON.stringify(settings))}`)
  const faults: string[] = []
  const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click()
  return {
    page,
    origin,
    faults,
    press,
    async openWindow(button) {
      const opening = context.waitForEvent('page')
      await press(button)
      const opened = await opening
      watchFaults(opened, settings.wallet, faults)
      return opened
    },
    async readAnswer(name, place = 0) {
      const line = page.locator('li').filter({ hasText: new RegExp(`^${name}: `) })
      return JSON.parse((await line.nth(place).innerText()).slice(name.length + 2)) as unknown
    },
  }
}
