import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { getAddress, parseEther } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectWallet } from '../../devnet/wallet/connect-wallet.ts'
import { findBrowser, openBrowser } from '../../harness/open-browser.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { startTcpDoor } from '../../harness/start-tcp-door.ts'
import { startTestDevnet, type TestDevnet } from '../../harness/start-test-devnet.ts'
import { startTestService, type TestService } from '../../harness/start-service.ts'
import { OWN_LIMITS } from '../../relayer/account/open-account.ts'
import { openWalletPage } from './open-wallet-page.ts'

const program = findBrowser('the wallet without a connection')
const PIN = '271828'
const masterKeys = [randomBytes(32).toString('hex')]

let browser: Browser
let devnet: TestDevnet
let database: TestDatabase
let service: TestService

/** A service that may stop and start again, on the same chain and database. */
async function start(port = 0): Promise<TestService> {
  const [chain] = devnet.devnet.chains
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  return startTestService(
    {
      port,
      wallet: true,
      chains: [JSON.parse(JSON.stringify(chain, asText)) as object],
      identity: { masterKeys },
      feeWaivers: { waiverDays: 0 },
      ...OWN_LIMITS,
    },
    { database: { ...database, drop: async () => {} } },
  )
}

beforeAll(async () => {
  if (!program) return
  ;[browser, devnet, database] = await Promise.all([
    openBrowser(program),
    startTestDevnet(),
    openTestDatabase(),
  ])
  service = await start()
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await database?.drop()
  await devnet?.[Symbol.asyncDispose]()
})

const showing = (pages: readonly Page[], text: string) =>
  Promise.all(pages.map((page) => page.getByText(text).first().waitFor()))

test.runIf(program)(
  'three tabs show a payment that came without a connection, and a payment during which the service started again',
  async () => {
    const payer = connectWallet(devnet.chain, devnet.chain.accounts[7]!.privateKey)
    const pay = async (to: string, amount: string) => {
      const hash = await payer.sender.sendTransaction({ to: getAddress(to), value: parseEther(amount) })
      await payer.reader.waitForTransactionReceipt({ hash })
    }
    const network = await startTcpDoor(new URL(service.url))
    onTestFinished(() => network.close())
    const url = `http://127.0.0.1:${network.port}`
    const { page, context } = await openWalletPage(browser, url, { reducedMotion: 'reduce' })
    context.setDefaultTimeout(120_000)
    await page.getByRole('button', { name: 'Use a PIN instead' }).click()
    await page.getByLabel('PIN, 6 digits or more').fill(PIN)
    await page.getByLabel('The same again').fill(PIN)
    await page.getByRole('button', { name: 'Create the wallet' }).click()
    await page.getByRole('heading', { name: 'Nothing yet', exact: true }).waitFor()
    const others = await Promise.all([context.newPage(), context.newPage()])
    for (const other of others) {
      await other.goto(page.url())
      await other.getByLabel('PIN', { exact: true }).fill(PIN)
      await other.getByRole('button', { name: 'Unlock' }).click()
      await other.getByRole('heading', { name: 'Nothing yet', exact: true }).waitFor()
    }

    await page.getByRole('link', { name: 'Receive' }).first().click()
    const address = await page.locator('.address .unseen').innerText()
    await pay(address, '0.5')
    await showing([page], 'Paid: 0.5 ETH')
    await showing(others, '+0.5 ETH')

    await page.getByRole('link', { name: 'Home' }).click()
    const tabs = [page, ...others]
    network.shut()
    await pay(address, '0.25')
    // Each tab has tried to connect again, some more than once.
    await expect.poll(() => network.refused, { timeout: 120_000 }).toBeGreaterThan(6)
    network.open()
    await showing(tabs, '+0.25 ETH')

    await page.getByRole('link', { name: 'Send' }).first().click()
    await page.getByLabel('To', { exact: true }).fill(devnet.chain.accounts[8]!.address)
    await page.getByLabel('Amount').fill('0.1')
    await page.getByRole('button', { name: 'Review' }).click()
    const submitted = page.waitForResponse((answer) => answer.url().endsWith('/submit'))
    await page.getByRole('button', { name: 'Send 0.1 ETH' }).click()
    expect((await submitted).ok()).toBe(true)
    const { port } = new URL(service.url)
    await service.stop()
    service = await start(Number(port))
    await page.getByRole('heading', { name: 'Sent', exact: true }).waitFor()
    await showing(others, '−0.1 ETH')
    await context.close()
  },
)
