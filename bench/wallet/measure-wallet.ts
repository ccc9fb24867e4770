// How soon a person can use the wallet of a running service, on a slow phone:
//   node bench/wallet/measure-wallet.ts http://localhost:4000
// Chromium runs at a quarter of this machine's speed, over fast 3G as the developer tools have it.
import type { Page } from 'playwright-core'
import { findBrowser, openBrowser } from '../../test/harness/open-browser.ts'
import { openWalletPage } from '../../test/gateway/wallet/open-wallet-page.ts'

const ROUNDS = 5
const CPU_SLOWDOWN = 4
/** Fast 3G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back, of which the tools take all but a quarter. */
const NETWORK = { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }

/**
 * Says when the second frame after the first button is drawn, in the page itself: Playwright looks for a button every 500 ms
 * only, once a second has passed.
 */
const WATCH = `new MutationObserver((_, watcher) => {
  if (!document.querySelector('button.main')) return
  watcher.disconnect()
  requestAnimationFrame(() => requestAnimationFrame(() => {
    performance.mark('usable')
    console.debug('usable')
  }))
}).observe(document, { childList: true, subtree: true })`

const READ_VISIT = `(() => {
  const [{ startTime: usable }] = performance.getEntriesByName('usable')
  const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  const before = loaded.filter(({ responseEnd }) => responseEnd <= usable)
  return { usable, kilobytes: before.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_000 }
})()`

interface Visit {
  /** Milliseconds from the start of the visit until the first button can be pressed. */
  usable: number
  /** Kilobytes over the network until then. */
  kilobytes: number
}

async function measureVisit(page: Page): Promise<Visit> {
  const usable = page.waitForEvent('console', (message) => message.text() === 'usable')
  await page.reload({ waitUntil: 'commit' })
  await usable
  return page.evaluate<Visit>(READ_VISIT)
}

/** The longest time for which the page could not answer a press while it proves, in milliseconds. */
async function measureProof(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Create with a passkey' }).click()
  await page.getByRole('link', { name: 'Get an address' }).click()
  await page.getByRole('button', { name: 'Pay me 0.5 ETH' }).click()
  await page.getByText('Paid: 0.5 ETH').waitFor()
  const goTo = (screen: string) => page.evaluate(`location.hash = '#/${screen}'`)
  await goTo('pool-in')
  await page.getByLabel('Amount').fill('0.2')
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Move it in' }).click()
  await page.getByRole('heading', { name: 'In the pool' }).waitFor()
  await goTo('pools')
  await page.getByText('0.2 ETH ready to send').waitFor()
  await goTo('pool-out')
  await page.getByLabel('Who gets it').selectOption('own')
  await page.getByLabel('Amount').fill('0.1')
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Prove and send' }).click()
  await page.getByText('Making the proof on this device').waitFor()
  await page.evaluate(`{
    globalThis.longest = 0
    let last = performance.now()
    const look = () => {
      const now = performance.now()
      longest = Math.max(longest, now - last - 10)
      last = now
      setTimeout(look, 10)
    }
    look()
  }`)
  await page.getByText('Making the proof on this device').waitFor({ state: 'detached' })
  return page.evaluate<number>('longest')
}

const middle = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const [url = 'http://localhost:4000'] = process.argv.slice(2)
const program = findBrowser('the figures of the wallet')
if (program) {
  const browser = await openBrowser(program)
  try {
    const { page, context } = await openWalletPage(browser, url, {
      viewport: { width: 390, height: 844 },
      // With it the second visit needs no network at all.
      serviceWorkers: 'block',
    })
    await page.addInitScript(WATCH)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await devtools.send('Network.emulateNetworkConditions', { offline: false, ...NETWORK })
    for (const [visit, cacheDisabled] of [
      ['first visit', true],
      ['later visit', false],
    ] as const) {
      await devtools.send('Network.setCacheDisabled', { cacheDisabled })
      const visits: Visit[] = []
      for (let round = 0; round < ROUNDS; round += 1) visits.push(await measureVisit(page))
      const usable = middle(visits.map((one) => one.usable))
      const kilobytes = middle(visits.map((one) => one.kilobytes))
      console.log(`${visit}: usable after ${Math.round(usable)} ms, ${Math.round(kilobytes)} kB`)
    }
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
    console.log(`while it proves: no answer for ${Math.round(await measureProof(page))} ms at most`)
  } finally {
    await browser.close()
  }
}
