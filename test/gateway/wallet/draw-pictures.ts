// Pictures of the wallet's screens for the documents, of the present build:
//   ASP_DELAY_SECONDS=0 npm start
//   node test/gateway/wallet/draw-pictures.ts http://localhost:4000
// Each shows one screen on a phone, light and dark, and on a desk.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { findBrowser, openBrowser } from '../../harness/open-browser.ts'
import { takeScreenshots } from './take-screenshots.ts'

const PICTURES = join(import.meta.dirname, '../../../gateway/wallet/pictures')
/** Those of the file `gateway/wallet/SCREENS.md`, by their names in a first day. */
const SCREENS = [
  'welcome',
  'paid',
  'send',
  'review',
  'imitation',
  'review-swap',
  'pools',
  'review-pool-out',
  'proving',
  'review-cash-out',
  'on-offer',
  'home',
  'details',
  'account',
  'backup',
] as const

/** Pixels. A phone keeps the shape of 390 by 844, two desks of 1280 by 800 stand above each other. */
const GAP = 12
const PHONE = { width: 234, height: 506 }
const DESK = { width: 395, height: (PHONE.height - GAP) / 2 }
const QUALITY = 0.6

interface Place {
  url: string
  x: number
  y: number
  width: number
  height: number
}

async function placeScreens(folder: string, screen: string): Promise<Place[]> {
  const names = await readdir(folder)
  const read = async (size: string, scheme: string) => {
    const name = names.find((one) => new RegExp(`^${size}-\\d+-${screen}-${scheme}\\.png$`).test(one))
    if (!name) throw new Error(`there is no picture of ${screen}`)
    return `data:image/png;base64,${(await readFile(join(folder, name))).toString('base64')}`
  }
  const right = 2 * (PHONE.width + GAP)
  return [
    { url: await read('phone', 'light'), x: 0, y: 0, ...PHONE },
    { url: await read('phone', 'dark'), x: PHONE.width + GAP, y: 0, ...PHONE },
    { url: await read('desktop', 'light'), x: right, y: 0, ...DESK },
    { url: await read('desktop', 'dark'), x: right, y: DESK.height + GAP, ...DESK },
  ]
}

/** Runs in the browser, which also knows WebP. */
const DRAW = `async ({ places, size, quality }) => {
  const canvas = Object.assign(document.createElement('canvas'), size)
  const brush = canvas.getContext('2d')
  brush.imageSmoothingQuality = 'high'
  for (const { url, x, y, width, height } of places) {
    const picture = new Image()
    picture.src = url
    await picture.decode()
    brush.drawImage(picture, x, y, width, height)
  }
  return canvas.toDataURL('image/webp', quality)
}`

async function drawPicture(page: Page, places: readonly Place[]): Promise<Buffer> {
  const size = { width: 2 * (PHONE.width + GAP) + DESK.width, height: PHONE.height }
  const given = JSON.stringify({ places, size, quality: QUALITY })
  const url = await page.evaluate<string>(`(${DRAW})(${given})`)
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

const [url = 'http://localhost:4000', taken] = process.argv.slice(2)
const program = findBrowser('pictures of the wallet')
if (program) {
  const folder = taken ?? (await mkdtemp(join(tmpdir(), 'wallet-screens-')))
  const browser = await openBrowser(program)
  try {
    if (!taken) await takeScreenshots(browser, url, folder)
    const page = await browser.newPage()
    for (const screen of SCREENS) {
      const picture = await drawPicture(page, await placeScreens(folder, screen))
      await writeFile(join(PICTURES, `screen-${screen}.webp`), picture)
      console.log(`${screen}: ${Math.round(picture.length / 1_000)} kB`)
    }
  } finally {
    await browser.close()
    if (!taken) await rm(folder, { recursive: true, force: true })
  }
}
