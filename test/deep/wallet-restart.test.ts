import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWalletPage } from '../gateway/wallet/open-wallet-page.ts'
import { findBrowser, openBrowser } from '../harness/open-browser.ts'
import { startKillableService } from '../harness/start-killable-service.ts'

const program = findBrowser('the wallet in a browser')
let browser: Awaited<ReturnType<typeof openBrowser>>
let service: Awaited<ReturnType<typeof startKillableService>>

beforeAll(async () => {
  if (!program) return
  ;[browser, service] = await Promise.all([openBrowser(program), startKillableService()])
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const PIN = '271828'

test.runIf(program)(
  'three tabs show a payment by themselves after the service was killed and started',
  async () => {
    const { page, context, close } = await openWalletPage(browser, service.url)
    await page.getByRole('button', { name: 'Use a PIN instead' }).click()
    await page.getByLabel('PIN, 6 digits or more').fill(PIN)
    await page.getByLabel('The same again').fill(PIN)
    await page.getByRole('button', { name: 'Create the wallet' }).click()
    await page.getByRole('heading', { name: 'Nothing yet' }).waitFor()
    const openTab = async (): Promise<Page> => {
      const tab = await context.newPage()
      await tab.goto(page.url())
      await tab.getByLabel('PIN', { exact: true }).fill(PIN)
      await tab.getByRole('button', { name: 'Unlock' }).click()
      await tab.getByRole('heading', { name: 'Nothing yet' }).waitFor()
      return tab
    }
    const others = [await openTab(), await openTab()]

    await service.killAndStart()

    await page.getByRole('link', { name: 'Get an address' }).click()
    await page.getByRole('button', { name: 'Pay me 0.5 ETH' }).click()
    await page.getByText('Paid: 0.5 ETH').waitFor()
    for (const tab of others) await tab.getByText('+0.5 ETH').waitFor()
    expect(others).toHaveLength(2)
    await close()
  },
)
