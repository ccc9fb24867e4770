import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBarriers } from '../harness/find-barriers.ts'
import { openWalletPage } from '../gateway/wallet/open-wallet-page.ts'
import { findBrowser, openBrowser } from '../harness/open-browser.ts'
import type { TestService } from '../harness/start-service.ts'
import { tellAspToDecline } from '../harness/tell-asp.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'

const program = findBrowser('the wallet in a browser')
let browser: Browser
let service: TestService

beforeAll(async () => {
  if (!program) return
  // Buyers wait longer than the test takes.
  const cash = { cash: true, cashDelaySeconds: 600 }
  const devnet = { ports: [0, 0], asp: true, aspDelaySeconds: 0, acrossDelaySeconds: 0, ...cash }
  ;[browser, service] = await Promise.all([openBrowser(program), startSendingService({ devnet })])
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test.runIf(program)('a person takes a declined deposit back, and moves money to another chain', async () => {
  const phone = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' as const }
  const { page, faults, close } = await openWalletPage(browser, service.url, phone)
  const barriers: string[] = []
  const look = async () => void barriers.push(...(await findBarriers(page)))

  await page.getByRole('button', { name: 'Create with a passkey' }).click()
  await page.getByRole('link', { name: 'Get an address' }).click()
  await page.getByRole('button', { name: 'Copy address' }).waitFor()
  await tellAspToDecline(service, (await page.locator('.address .unseen').innerText()) as `0x${string}`)
  await page.getByRole('button', { name: 'Pay me 0.5 ETH' }).click()
  await page.getByText('Paid: 0.5 ETH').waitFor()

  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('link', { name: 'Private money' }).click()
  await page.getByRole('link', { name: 'Move money in' }).click()
  await page.getByLabel('Amount').fill('0.1')
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Move it in' }).click()
  await heading(page, 'In the pool').waitFor()
  await page.getByRole('link', { name: 'To the start' }).click()
  await page.getByText('A deposit was declined.').waitFor()
  await look()
  await page.getByRole('link', { name: 'Private money' }).click()
  await page.getByRole('button', { name: 'Take back 0.1 ETH' }).click()
  await look()
  await page.getByRole('button', { name: 'Prove that it is mine' }).click()
  await heading(page, 'Before you take it back').waitFor()
  await look()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await heading(page, 'Taken back').waitFor()
  await page.getByRole('link', { name: 'To the start' }).click()
  await page.getByText('Taken back from a pool').waitFor()

  await page.locator('main').getByRole('link', { name: 'Swap' }).click()
  await page.getByText(/^0\.49\d+ ETH available$/).waitFor()
  await page.getByLabel('Amount').fill('0.2')
  await page.getByLabel('On chain').selectOption({ label: 'Devnet 31338' })
  await page.getByRole('button', { name: 'Review' }).click()
  await heading(page, 'Before you swap').waitFor()
  await look()
  await page.getByRole('button', { name: 'Swap' }).click()
  await heading(page, 'Swapped').waitFor()
  await page.getByRole('link', { name: 'To the start' }).click()
  await page.getByText('Moved to another chain').waitFor()
  await page.getByText(/^0\.19\d+ ETH$/).waitFor()

  expect(barriers).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test.runIf(program)(
  'a person offers dollars for money on a payment app, and takes back what nobody buys',
  async () => {
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' as const }
    const { page, faults, close } = await openWalletPage(browser, service.url, phone)
    const barriers: string[] = []
    const look = async () => void barriers.push(...(await findBarriers(page)))

    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('link', { name: 'Get an address' }).click()
    await page.getByLabel('Token').selectOption({ label: 'TUSD' })
    await page.getByLabel('Amount, if you know it').fill('500')
    await page.getByRole('button', { name: 'Pay me 500 TUSD' }).click()
    await page.getByText('Paid: 500 TUSD').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'Cash out' }).click()
    await page.getByLabel('Amount').fill('100')
    await page.getByLabel('Your name at Venmo').fill('alice-of-the-story')
    await look()
    await page.getByRole('button', { name: 'Review' }).click()
    await heading(page, 'Before you sell').waitFor()
    await page.getByText('alice-of-the-story · Venmo').waitFor()
    await look()
    await page.getByRole('button', { name: 'Offer it' }).click()
    await heading(page, 'Offered to buyers').waitFor()
    await page.getByRole('link', { name: 'To the start' }).click()
    await page.getByText('Cashed out').waitFor()
    await page.getByText('Waiting for a buyer').waitFor()
    await page.getByRole('link', { name: 'Cash out' }).click()
    await page.getByText('0 TUSD of 100 TUSD sold').waitFor()
    await look()
    await page.getByRole('button', { name: 'Take back 100 TUSD' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await heading(page, 'Before you take it back').waitFor()
    await look()
    await page.getByRole('button', { name: 'Take it back' }).click()
    await heading(page, 'Taken back').waitFor()
    await page.getByRole('link', { name: 'To the start' }).click()
    await page.getByText('The rest came back').waitFor()

    expect(barriers).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test.runIf(program)(
  'a person sells dollars by the escrow of another chain, to which a bridge carries them',
  async () => {
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' as const }
    const { page, faults, close } = await openWalletPage(browser, service.url, phone)
    const barriers: string[] = []
    const look = async () => void barriers.push(...(await findBarriers(page)))

    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('link', { name: 'Get an address' }).click()
    await page.getByLabel('Token').selectOption({ label: 'TUSD' })
    await page.getByLabel('Amount, if you know it').fill('500')
    await page.getByRole('button', { name: 'Pay me 500 TUSD' }).click()
    await page.getByText('Paid: 500 TUSD').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: 'Cash out' }).click()
    await page.getByLabel('Amount').fill('100')
    await page.getByLabel('Sold on').selectOption({ label: 'Devnet 31338' })
    await page.getByLabel('Your name at Venmo').fill('alice-elsewhere')
    await look()
    await page.getByRole('button', { name: 'Review' }).click()
    await heading(page, 'Before you sell').waitFor()
    await page.getByText(/^Devnet 31338, in about /).waitFor()
    await look()
    await page.getByRole('button', { name: 'Offer it' }).click()
    await heading(page, 'Offered to buyers').waitFor()
    await page.getByRole('link', { name: 'To the start' }).click()
    await page.getByRole('link', { name: 'Cash out' }).click()
    // The bridge keeps its fee.
    await page.getByText(/^0 TUSD of 9\d\.\d+ TUSD sold$/).waitFor()
    await page.getByRole('button', { name: /^Take back 9\d\.\d+ TUSD$/ }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await heading(page, 'Before you take it back').waitFor()
    await page.getByRole('button', { name: 'Take it back' }).click()
    await heading(page, 'Taken back').waitFor()
    await page.getByRole('link', { name: 'To the start' }).click()
    await page.getByText('The rest came back').waitFor()

    expect(barriers).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test.runIf(program)(
  'a person decides about money that came in: one part into a pool, another stays',
  async () => {
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' as const }
    const { page, faults, close } = await openWalletPage(browser, service.url, phone)
    const barriers: string[] = []

    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('link', { name: 'Get an address' }).click()
    for (let payment = 0; payment < 2; payment += 1) {
      await page.getByRole('button', { name: 'Pay me 0.5 ETH' }).click()
      await page.getByText('Paid: 0.5 ETH').waitFor()
      await page.getByRole('button', { name: 'New address' }).click()
      await page.getByText('Paid: 0.5 ETH').waitFor({ state: 'detached' })
    }
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: '2 addresses were paid' }).click()
    await page.getByRole('button', { name: 'Make private: 0.5 ETH' }).nth(1).waitFor()
    barriers.push(...(await findBarriers(page)))
    await page.getByRole('button', { name: 'Make private: 0.5 ETH' }).first().click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Move it in' }).click()
    await heading(page, 'In the pool').waitFor()
    await page.getByRole('link', { name: 'To the start' }).click()
    await page.getByRole('link', { name: 'One address was paid' }).click()
    await page.getByRole('button', { name: 'Leave it where it is' }).click()
    await page.getByText('You have decided about all that came in.').waitFor()

    expect(barriers).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)
