// Pictures of every screen, at 390 and 1280 px, light and dark:
//   node test/gateway/wallet/take-screenshots.ts http://localhost:4000 FOLDER
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { findBrowser, openBrowser } from '../../harness/open-browser.ts'
import { openWalletPage, type WalletInBrowser } from './open-wallet-page.ts'

const SIZES = [
  { name: 'phone', viewport: { width: 390, height: 844 } },
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
]
/** A known account of the devnet. */
const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Plays a first day with the wallet of a running service, and takes a picture of each screen on the way. */
export async function takeScreenshots(
  browser: Browser,
  serviceUrl: string,
  folder: string,
  prepare: (wallet: WalletInBrowser) => Promise<void> = async () => {},
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { name, viewport } of SIZES) {
    const wallet = await openWalletPage(browser, serviceUrl, { viewport, reducedMotion: 'reduce' })
    await prepare(wallet)
    let number = 0
    const shoot = async (screen: string) => {
      number += 1
      for (const colorScheme of ['light', 'dark'] as const) {
        await wallet.page.emulateMedia({ colorScheme })
        const file = `${name}-${String(number).padStart(2, '0')}-${screen}-${colorScheme}.png`
        await wallet.page.screenshot({ path: join(folder, file) })
      }
    }
    try {
      await playFirstDay(wallet.page, shoot)
    } finally {
      await wallet.close()
    }
  }
}

async function playFirstDay(page: Page, shoot: (screen: string) => Promise<void>): Promise<void> {
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const goTo = (name: string) => page.locator('nav').getByRole('link', { name, exact: true }).click()
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

  await shoot('welcome')
  await press('Use a PIN instead')
  await shoot('pin')
  await press('Back')
  await press('Restore from a backup')
  await shoot('restore')
  await press('Back')
  await press('Create with a passkey')
  await heading('Nothing yet')
  await shoot('home-empty')
  await goTo('Receive')
  await page.getByRole('button', { name: 'Copy address' }).waitFor()
  await shoot('receive')
  await press('Pay me 0.5 ETH')
  await page.getByText('Paid: 0.5 ETH').waitFor()
  await shoot('paid')
  for (const [token, amount] of [
    ['TUSD', '1250'],
    ['TEUR', '80.5'],
  ] as const) {
    await press('New address')
    await page.getByLabel('Token').selectOption(token)
    await page.getByLabel('Amount, if you know it').fill(amount)
    await page.getByRole('button', { name: 'Copy address' }).waitFor()
    await press(/^Pay me/)
    await page.getByText(/^Paid: /).waitFor()
  }
  await goTo('Send')
  await page.getByLabel('To', { exact: true }).fill(FRIEND)
  await page.getByLabel('From').selectOption({ index: 0 })
  await page.getByLabel('Amount').fill('0.1')
  await shoot('send')
  await press('Review')
  await heading('Before you send')
  await shoot('review')
  await press(/^Send 0.1/)
  await heading('On its way')
  await shoot('progress')
  await heading('Sent')
  await page.getByLabel('Name').fill('Alice')
  await press('Save as a contact')
  await page.getByText('Saved as Alice.').waitFor()
  await shoot('sent')
  await press('Send another')
  await page.getByText(/^0\.39\d+ ETH available$/).waitFor()
  await page
    .getByLabel('To', { exact: true })
    .fill(`${FRIEND.slice(0, 20)}1${FRIEND.slice(21)}`.toLowerCase())
  await page.getByLabel('Amount').fill('0.1')
  await press('Review')
  await heading('This address imitates another')
  await shoot('imitation')
  await goTo('Home')
  await page.locator('main').getByRole('link', { name: 'Swap' }).click()
  await page.getByLabel('Amount').fill('0.05')
  await page.getByLabel('You get').selectOption('TUSD')
  await shoot('swap')
  await press('Review')
  await heading('Before you swap')
  await shoot('review-swap')
  await press('Swap')
  await heading('Swapped')
  await shoot('swapped')
  await playPrivateMoney(page, shoot)
  await playCashOut(page, shoot)
  await goTo('Home')
  await page.getByText('to Alice').waitFor()
  await page
    .getByText(/^\+.* TUSD$/)
    .first()
    .waitFor()
  await page.locator('.line .wait').first().waitFor({ state: 'detached' })
  await shoot('home')
  await goTo('Activity')
  await page.locator('.ghost').first().waitFor({ state: 'detached' })
  await shoot('activity')
  await page.getByText('to Alice').click()
  await page.getByLabel('Your note').fill('for the tickets')
  await shoot('details')
  await goTo('Account')
  await shoot('account')
  await showInMiddle(page, 'Home without this service')
  await shoot('backup')
  await page.reload()
  await shoot('unlock')
}

type Shoot = (screen: string) => Promise<void>

/** Into a pool, and privately out of it: a devnet with ASP_DELAY_SECONDS=0 approves at once. */
async function playPrivateMoney(page: Page, shoot: Shoot): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  const goTo = (hash: string) => page.evaluate(`location.hash = '#/${hash}'`)
  await goTo('pool-in')
  const dollars = page.getByLabel('From').locator('option', { hasText: 'TUSD' })
  await page.getByLabel('From').selectOption(await dollars.getAttribute('value'))
  await page.getByLabel('Amount').fill('400')
  await shoot('pool-in')
  await press('Review')
  await heading('Before you move it in')
  await shoot('review-pool-in')
  await press('Move it in')
  await heading('In the pool')
  await goTo('pools')
  await page.getByText('400 TUSD ready to send').waitFor()
  await shoot('pools')
  await page.getByRole('link', { name: 'Send privately' }).click()
  await page.getByLabel('To', { exact: true }).fill(FRIEND)
  await page.getByLabel('Amount').fill('150')
  await shoot('pool-out')
  await press('Review')
  await heading('Before you send privately')
  await shoot('review-pool-out')
  await press('Prove and send')
  await page.getByText('Making the proof on this device').waitFor()
  await shoot('proving')
  await heading('Sent privately')
  await shoot('sent-privately')
}

/** Scrolls a section away from the tabs, which lie over the page. */
const showInMiddle = (page: Page, heading: string) =>
  page.evaluate(
    `[...document.querySelectorAll('h2')].find((one) => one.textContent === '${heading}').scrollIntoView({ block: 'center' })`,
  )

async function playCashOut(page: Page, shoot: Shoot): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
  await page.evaluate("location.hash = '#/cash-out'")
  await page.getByLabel('Amount').fill('100')
  await page.getByLabel('Your name at Venmo').fill('alice')
  await shoot('cash-out')
  await press('Review')
  await heading('Before you sell')
  await shoot('review-cash-out')
  await press('Offer it')
  await heading('Offered to buyers')
  await page.getByRole('link', { name: 'To the start' }).click()
  await page.locator('main').getByRole('link', { name: 'Cash out' }).click()
  await heading('On offer')
  await showInMiddle(page, 'On offer')
  await shoot('on-offer')
}

if (import.meta.main) {
  const [url = 'http://localhost:4000', folder = 'wallet-screenshots'] = process.argv.slice(2)
  const program = findBrowser('pictures of the wallet')
  if (program) {
    const browser = await openBrowser(program)
    try {
      await takeScreenshots(browser, url, folder)
    } finally {
      await browser.close()
    }
  }
}
