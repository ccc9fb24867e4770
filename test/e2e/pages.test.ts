import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrowser, openBrowser } from '../harness/open-browser.ts'
import { openNewClient } from '../../schema/client/account/open-client.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'

const program = findBrowser('the pages in a browser')
let browser: Browser
let service: TestService

beforeAll(async () => {
  if (!program) return
  ;[browser, service] = await Promise.all([openBrowser(program), startTestService()])
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

/** Opens a page and returns its content once `text` is there; fails on any foreign request and any script error. */
async function open(path: string, text: RegExp) {
  const page = await browser.newPage()
  const outside: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== service.url) outside.push(request.url())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${service.url}${path}`)
  await page.getByText(text).first().waitFor()
  expect(outside).toEqual([])
  expect(errors).toEqual([])
  return page
}

test.runIf(program)(
  'the front page shows chains, signers and counts, and no account or address of a user',
  async () => {
    const client = await openNewClient({ url: service.url })
    const { address } = await client.receive()
    const page = await open('/', /31337/)
    expect(await page.locator('body').innerText()).toMatch(/signers?/i)
    const figure = page.locator('.figures div', { hasText: 'accounts' }).locator('strong')
    await expect.poll(() => figure.innerText()).toBe('1')
    expect(await page.locator('.figures').first().innerText()).toMatch(/sends confirmed/)
    const shown = (await page.content()).toLowerCase()
    for (const secret of [address, client.accountId]) expect(shown).not.toContain(secret.toLowerCase())
    const indexing = page.locator('section', { hasText: 'Indexing' }).locator('tbody tr')
    expect(await indexing.first().innerText()).toMatch(/Devnet 31337/)
    await page.close()

    const metrics = await fetch(`${service.url}/metrics`).then((answer) => answer.text())
    expect(metrics).toMatch(/^accounts 1$/m)
    expect(metrics).toMatch(/^sends\{status="confirmed"\} 0$/m)
  },
)
