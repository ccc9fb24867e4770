import { zeroAddress } from 'viem'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser, openBrowser } from '../../harness/open-browser.ts'
import { openGateway } from '../open-gateway.ts'

const program = findBrowser('the gateway’s pages in a browser')

describe.runIf(program)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser(program!)
  })
  afterAll(() => browser?.close())

  /** A page that records foreign requests, errors and policy violations. */
  async function open(url: string): Promise<{ page: Page; faults: string[] }> {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(?:data|blob):/.test(request.url())) faults.push(request.url())
    })
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(String(error)))
    return { page, faults }
  }

  it('the front page shows the status and keeps it fresh', async () => {
    let accounts = 12_345
    const sendLedger = [
      {
        chainId: 1,
        token: zeroAddress,
        symbol: 'ETH',
        decimals: 18,
        nativeSymbol: 'ETH',
        sends: 78,
        networkFee: 3n * 10n ** 16n,
        serviceFee: 10n ** 15n,
        gasSpent: 2n * 10n ** 16n,
        gasUnpaid: 10n ** 14n,
      },
    ]
    const usage = async () => ({
      accounts,
      sends: { underWay: 3, confirmed: 77, failed: 1 },
      stuck: { earnings: 0, quotes: 0 },
      sendLedger,
      profit: [],
    })
    const { url, withdrawals } = await openGateway({}, {}, { usage })
    const { page, faults } = await open(url)
    await page.goto(url)
    const figure = (name: string) => page.locator('.figures div', { hasText: name }).locator('strong')
    expect(await figure('accounts').innerText()).toBe('12\u2009345')
    expect(await figure('sends confirmed').innerText()).toBe('77')
    expect(await figure('sends on their way').innerText()).toBe('3')
    expect(await figure('relays confirmed').innerText()).toContain('40')
    const overview = await withdrawals.overview()
    withdrawals.overview = async () => ({ ...overview, requests: { ...overview.requests, confirmed: 41 } })
    accounts += 1
    await page.locator('.figures div', { hasText: '41' }).waitFor()
    await page.locator('.figures div', { hasText: '12\u2009346' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('an open front page says when it lost its connection, and takes it back', async () => {
    const { url } = await openGateway()
    const { page } = await open(url)
    await page.goto(url)
    const lost = page.locator('#lost')
    expect(await lost.isVisible()).toBe(false)
    // The event of a browser whose reader comes back: the page then reads the status at once.
    const lookAgain = () => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')))
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    await lookAgain()
    await lost.waitFor({ state: 'visible' })
    expect(await lost.innerText()).toMatch(/^The service does not answer: this page is from /)
    await page.unroute('**/*')
    await lookAgain()
    await lost.waitFor({ state: 'hidden' })
    await page.close()
  })

  it('the API reference shows the operations first, then the guide and the documents, and asks no other server', async () => {
    const { url } = await openGateway()
    const { page, faults } = await open(url)
    const policy = (await page.goto(`${url}/docs`))!.headers()['content-security-policy']
    expect(policy).toContain("script-src 'self';")
    const sidebar = page.locator('aside')
    await sidebar.getByText('Operations', { exact: true }).waitFor()
    const groups = (await sidebar.innerText()).split('\n').map((line) => line.trim())
    const shown = ['Operations', 'Relayer', 'Sending', 'Guide', 'README', 'PROTOCOL', 'OPERATING']
    shown.push('Settings', 'Metrics', 'Alarms', 'SECURITY', 'CHANGELOG')
    expect(groups.filter((group) => shown.includes(group))).toEqual(shown)

    await page.keyboard.press('Control+k')
    await page.locator('[role=dialog] input').fill('relay a withdrawal')
    await page.getByRole('option', { name: '/relayer/request' }).first().click()
    await expect.poll(() => page.url()).toMatch(/#tag\/relayer\/POST\/relayer\/request$/)
    await page.getByRole('heading', { name: 'Relay a withdrawal' }).waitFor()

    await sidebar.getByText('Guide', { exact: true }).click()
    await sidebar.getByText('Errors', { exact: true }).click()
    await page.getByText('NULLIFIER_ALREADY_SPENT').first().waitFor()
    const isDark = () => page.evaluate(() => document.body.classList.contains('dark-mode'))
    expect(await isDark()).toBe(false)
    await page.locator('aside button[aria-pressed]').last().click()
    expect(await isDark()).toBe(true)
    expect(faults).toEqual([])
    await page.close()
  })

  it('a link between two documents leads to its section in the API reference', async () => {
    const { url } = await openGateway()
    const { page, faults } = await open(url)
    await page.goto(`${url}/docs#tag/operating-first-start`)
    await page.getByRole('heading', { name: 'First start' }).waitFor()
    await page.goto(`${url}/docs#tag/operating-operating`)
    const link = page.getByRole('link', { name: 'SECURITY.md' }).first()
    const isThere = () => page.url().endsWith('#tag/security-security')
    await expect
      .poll(async () => {
        // While sections above still load, the page moves and takes its own address back.
        if (!isThere()) await link.click()
        return isThere()
      })
      .toBe(true)
    await page.getByRole('heading', { name: 'Security', exact: true }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('the documents show the wallet’s screens, from this service alone', async () => {
    const { url } = await openGateway()
    const { page, faults } = await open(url)
    await page.goto(`${url}/docs#tag/the-wallet-be-paid`)
    const picture = page.getByAltText('A QR code, the address in groups of four')
    await picture.waitFor()
    await picture.scrollIntoViewIfNeeded()
    const width = () => page.evaluate(`document.querySelector('img[alt^="A QR code"]').naturalWidth`)
    await expect.poll(width).toBeGreaterThan(500)
    expect(faults).toEqual([])
    await page.close()
  })

  it('the GraphQL explorer runs the chosen operation, and one from a link', async () => {
    const { url } = await openGateway()
    const { page, faults } = await open(url)
    const policy = (await page.goto(`${url}/graphql`))!.headers()['content-security-policy']
    expect(policy).toMatch(/script-src 'sha256-[^']+'; /)
    expect(policy).not.toMatch(/unsafe-eval|script-src [^;]*unsafe-inline/)
    const tabs = page.locator('.graphiql-tab')
    await tabs.filter({ hasText: 'Withdraw' }).waitFor()
    expect(await tabs.allInnerTexts()).toEqual([
      'WhatIsServed',
      'Nonce',
      'Home',
      'History',
      'Review',
      'Send',
      'Swap',
      'Withdraw',
    ])
    await page.locator('button.graphiql-execute-button').click()
    await page.getByRole('menuitem', { name: 'WhatRelayingCosts' }).click()
    // This gateway serves chain 1, and the operation asks for the devnet's.
    await page.locator('.result-window', { hasText: 'CHAIN_NOT_SUPPORTED' }).waitFor()
    expect(faults).toEqual([])
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${url}/graphql?query=${encodeURIComponent('{ __typename }')}`)
    await page
      .getByText(/__typename/)
      .first()
      .waitFor()
    await page.locator('button.graphiql-execute-button').click()
    await page.locator('.result-window', { hasText: '"Query"' }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })
})
