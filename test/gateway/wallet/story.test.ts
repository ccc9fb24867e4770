import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import {
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  numberToHex,
  parseEther,
  stringToHex,
  verifyMessage,
} from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPayer, waitUntilIndexed } from '../../harness/chain-actors.ts'
import { findBrowser, openBrowser } from '../../harness/open-browser.ts'
import type { TestService } from '../../harness/start-service.ts'
import { startSendingService } from '../../relayer/transact/quotes/start-sending-service.ts'
import { findBarriers } from '../../harness/find-barriers.ts'
import { openAppInBrowser } from './open-app-in-browser.ts'
import { openWalletPage } from './open-wallet-page.ts'

const program = findBrowser('the wallet in a browser')
let browser: Browser
let service: TestService

beforeAll(async () => {
  if (!program) return
  ;[browser, service] = await Promise.all([openBrowser(program), startWalletService()])
})
/** Deposits into pools are approved as soon as they are seen. */
const startWalletService = () =>
  startSendingService({ devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] } })
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Asks for an offer. A person presses again where the service refuses one for a moment; the page's text says why. */
async function review(page: Page, title: string): Promise<void> {
  const look = async () => {
    if (await heading(page, title).isVisible()) return title
    await page
      .getByRole('button', { name: 'Review' })
      .click({ timeout: 1_000 })
      .catch(() => undefined)
    return page.locator('main').innerText()
  }
  await expect.poll(look, { interval: 1_000 }).toBe(title)
}

test.runIf(program)(
  'a person makes a wallet by a passkey, is paid, pays by name, swaps, pays privately, and comes back elsewhere',
  // Some fifty screens: four times as long on a machine that is four times slower.
  { timeout: 400_000 },
  async () => {
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' as const }
    const [alice, bob] = await Promise.all([
      openWalletPage(browser, service.url, phone),
      openWalletPage(browser, service.url, {
        viewport: { width: 1280, height: 800 },
        reducedMotion: 'reduce',
      }),
    ])
    const barriers: string[] = []
    const look = async (page: Page) => void barriers.push(...(await findBarriers(page)))

    await look(alice.page)
    await alice.page.getByRole('button', { name: 'Create with a passkey' }).click()
    await heading(alice.page, 'Nothing yet').waitFor()
    await look(alice.page)
    await alice.page.getByRole('link', { name: 'Get an address' }).click()
    await alice.page.getByRole('button', { name: 'Pay me 0.5 ETH' }).click()
    await alice.page.getByText('Paid: 0.5 ETH').waitFor()
    await look(alice.page)

    await bob.page.getByRole('button', { name: 'Use a PIN instead' }).click()
    await bob.page.getByLabel('PIN, 6 digits or more').fill('271828')
    await bob.page.getByLabel('The same again').fill('271828')
    await look(bob.page)
    await bob.page.getByRole('button', { name: 'Create the wallet' }).click()
    await bob.page.getByRole('link', { name: 'Account' }).click()
    await bob.page.getByLabel('Name', { exact: true }).fill('bob-of-the-story')
    await bob.page.getByRole('button', { name: 'Take this name' }).click()
    const readAccount = () => bob.page.locator('main').innerText()
    await expect.poll(readAccount).toMatch(/bob-of-the-story\.stealth\.eth\s+Copy/)
    await bob.page.getByRole('link', { name: 'Home' }).click()

    await alice.page.getByRole('link', { name: 'Send' }).click()
    await alice.page.getByLabel('To', { exact: true }).fill('nobody')
    await alice.page.getByLabel('Amount').fill('9')
    await alice.page.getByRole('button', { name: 'Review' }).click()
    await alice.page.getByText('This is neither an address nor a name.').waitFor()
    await alice.page.getByText('You have 0.5 ETH.').waitFor()
    await look(alice.page)
    await alice.page.getByLabel('To', { exact: true }).fill('bob-of-the-story.stealth.eth')
    await alice.page.getByLabel('Amount').fill('0.2')
    await alice.page.getByRole('button', { name: 'Review' }).click()
    await alice.page.getByText('One of your addresses pays.').waitFor()
    const address = await alice.page.locator('.review .address .unseen').innerText()
    await look(alice.page)
    await alice.page.getByRole('button', { name: 'Send 0.2 ETH' }).click()
    await heading(alice.page, 'Sent').waitFor()
    await bob.page.getByText('+0.2 ETH').waitFor()
    await bob.page.getByText('There is no backup yet.').waitFor()
    await look(alice.page)
    await alice.page.getByLabel('Name').fill('Bob')
    await alice.page.getByRole('button', { name: 'Save as a contact' }).click()
    await alice.page.getByText('Saved as Bob.').waitFor()

    // An address that is alike at both ends, as somebody puts it into a history.
    const middle = address[20] === 'a' ? 'b' : 'a'
    await alice.page.getByRole('button', { name: 'Send another' }).click()
    // The rest of the address that paid is free again.
    await alice.page.getByText(/^0\.29\d+ ETH available$/).waitFor()
    await alice.page
      .getByLabel('To', { exact: true })
      .fill((address.slice(0, 20) + middle + address.slice(21)).toLowerCase())
    await alice.page.getByLabel('Amount').fill('0.1')
    await review(alice.page, 'This address imitates another')
    expect(await alice.page.getByRole('button', { name: 'Go on with it' }).isDisabled()).toBe(true)
    await look(alice.page)

    await bob.page.reload()
    await bob.page.getByLabel('PIN', { exact: true }).fill('314159')
    await bob.page.getByRole('button', { name: 'Unlock' }).click()
    await bob.page.getByText('That is not the PIN.').waitFor()
    await bob.page.getByLabel('PIN', { exact: true }).fill('271828')
    await bob.page.getByRole('button', { name: 'Unlock' }).click()
    await bob.page.getByRole('link', { name: 'Home' }).click()
    await bob.page.getByText('+0.2 ETH').waitFor()
    await look(bob.page)
    await bob.page.getByRole('link', { name: 'Activity', exact: true }).click()
    await bob.page.getByText('+0.2 ETH').waitFor()
    await look(bob.page)

    await alice.page.getByRole('link', { name: 'Home' }).click()
    await alice.page.locator('main').getByRole('link', { name: 'Swap' }).click()
    await alice.page.getByLabel('Amount').fill('0.1')
    await alice.page.getByLabel('You get').selectOption('TUSD')
    await review(alice.page, 'Before you swap')
    await look(alice.page)
    await alice.page.getByRole('button', { name: 'Swap' }).click()
    await heading(alice.page, 'Swapped').waitFor()
    await alice.page.getByRole('link', { name: 'To the start' }).click()
    await alice.page.getByText(/^\+299\.\d+ TUSD$/).waitFor()

    // Into a pool, and out of it to somebody who learns nothing of her. The proof is made by the page.
    await alice.page.getByRole('link', { name: 'Private money' }).click()
    await alice.page.getByRole('link', { name: 'Move money in' }).click()
    const dollars = alice.page.getByLabel('From').locator('option', { hasText: 'TUSD' })
    await alice.page.getByLabel('From').selectOption(await dollars.getAttribute('value'))
    await alice.page.getByLabel('Amount').fill('100')
    await review(alice.page, 'Before you move it in')
    await look(alice.page)
    await alice.page.getByRole('button', { name: 'Move it in' }).click()
    await heading(alice.page, 'In the pool').waitFor()
    await alice.page.goto(`${alice.page.url().split('#')[0]}#/pools`)
    await alice.page.getByText('100 TUSD ready to send').waitFor()
    await look(alice.page)
    await bob.page.getByRole('link', { name: 'Receive' }).click()
    await bob.page.getByRole('button', { name: 'Copy address' }).waitFor()
    const hidden = await bob.page.locator('.address .unseen').innerText()
    const ownPage = await bob.page.getByText('/pay/bob-of-the-story').innerText()
    expect(await (await fetch(ownPage)).text()).toContain('<title>Pay bob-of-the-story.stealth.eth</title>')
    await bob.page.getByLabel('Amount, if you know it').fill('0.25')
    const asking = await bob.page.getByText('/pay/bob-of-the-story?').innerText()
    expect(await (await fetch(asking)).text()).toContain('Pay 0.25 ETH to')
    await bob.page.getByText('Show it as a QR code').click()
    await look(bob.page)
    await alice.page.getByRole('link', { name: 'Send privately' }).click()
    await alice.page.getByLabel('To', { exact: true }).fill(hidden)
    await alice.page.getByLabel('Amount').fill('40')
    await look(alice.page)
    await review(alice.page, 'Before you send privately')
    await look(alice.page)
    await alice.page.getByRole('button', { name: 'Prove and send' }).click()
    await heading(alice.page, 'Sent privately').waitFor()
    await bob.page.getByText(/^Paid: /).waitFor()

    // A note on the payment to Bob, which only her keys read: it is there again after the lock.
    await alice.page.getByRole('link', { name: 'Activity', exact: true }).click()
    await alice.page.getByText('to Bob').click()
    await alice.page.getByText('Where the money came from').waitFor()
    await alice.page.getByLabel('Your note').fill('for the tickets')
    await look(alice.page)
    await alice.page.getByRole('button', { name: 'Save the note' }).click()
    await alice.page.getByText('Saved, encrypted.').waitFor()

    // The page opens without a connection, and says what is missing.
    await alice.page.waitForFunction(
      'caches.open("shell").then(async (kept) => (await kept.keys()).length > 4)',
    )
    await alice.context.setOffline(true)
    await alice.page.reload()
    await alice.page.getByRole('button', { name: 'Unlock with your passkey' }).click()
    await alice.page.getByText('The service does not answer. Check your connection.').waitFor()
    await alice.context.setOffline(false)
    await look(alice.page)
    await alice.page.getByRole('button', { name: 'Unlock with your passkey' }).click()
    await alice.page.getByText('to Bob').click()
    expect(await alice.page.getByLabel('Your note').inputValue()).toBe('for the tickets')
    await alice.page.getByRole('link', { name: 'Account' }).click()
    await alice.page.getByLabel('Password, 10 characters or more').fill('correct horse')
    await look(alice.page)
    const saving = alice.page.waitForEvent('download')
    await alice.page.getByRole('button', { name: 'Save backup' }).click()
    const backup = await (await saving).path()
    const leaving = alice.page.waitForEvent('download')
    await alice.page.getByRole('button', { name: 'Save the page' }).click()
    const wayOut = readFileSync(await (await leaving).path())
    await alice.page.getByText(createHash('sha256').update(wayOut).digest('hex')).waitFor()
    await look(alice.page)

    const elsewhere = await openWalletPage(browser, service.url, phone)
    await elsewhere.page.getByRole('button', { name: 'Restore from a backup' }).click()
    await elsewhere.page.getByLabel('Backup file').setInputFiles({
      name: 'backup.json',
      mimeType: 'application/json',
      buffer: readFileSync(backup),
    })
    await elsewhere.page.getByLabel('Password of the backup').fill('correct horse')
    await elsewhere.page.getByLabel('New PIN for this device').fill('161803')
    await look(elsewhere.page)
    await elsewhere.page.getByRole('button', { name: 'Restore' }).click()
    await elsewhere.page.getByText('−0.2 ETH').waitFor()

    expect(barriers).toEqual([])
    expect([...alice.faults, ...bob.faults, ...elsewhere.faults]).toEqual([])
    await Promise.all([alice.close(), bob.close(), elsewhere.close()])
  },
)

test.runIf(program)(
  'a page of another origin connects, has its calls explained and made, and asks for nothing once it is disconnected',
  { timeout: 200_000 },
  async () => {
    const payer = await openPayer(service, 6)
    const { chainId, rpcUrl, wrappedNative, collectible, uniswap } = payer.chain
    const { page, context, faults } = await openWalletPage(browser, service.url, { reducedMotion: 'reduce' })
    onTestFinished(() => context.close())
    await page.getByRole('button', { name: 'Use a PIN instead' }).click()
    await page.getByLabel('PIN, 6 digits or more').fill('271828')
    await page.getByLabel('The same again').fill('271828')
    await page.getByRole('button', { name: 'Create the wallet' }).click()
    await heading(page, 'Nothing yet').waitFor()

    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [uniswap.router, maxUint256],
    })
    const batch = {
      version: '2.0.0',
      id: 'order',
      chainId: numberToHex(chainId),
      atomicRequired: true,
      calls: [
        { to: wrappedNative, value: numberToHex(parseEther('0.1')), data: '0xd0e30db0' },
        { to: wrappedNative, data: approve },
      ],
    }
    const app = await openAppInBrowser(context, {
      wallet: service.url.replace('127.0.0.1', 'localhost'),
      chains: [{ chainId, rpcUrl }],
      buttons: [
        { name: 'Connect', method: 'eth_requestAccounts', params: [] },
        { name: 'Buy', method: 'wallet_sendCalls', params: [batch] },
        { name: 'Status', method: 'wallet_getCallsStatus', params: ['order'] },
        {
          name: 'Mint',
          method: 'eth_sendTransaction',
          params: [{ from: '$account', to: collectible, data: '0x40c10f19' }],
        },
        { name: 'Sign', method: 'personal_sign', params: [stringToHex('tea \u202e for two'), '$account'] },
        { name: 'Leave', method: 'personal_sign', params: ['0x00ff', '$account'] },
        { name: 'Again', method: 'personal_sign', params: ['0x00', '$account'] },
      ],
    })
    const barriers: string[] = []
    const look = async (shown: Page) => void barriers.push(...(await findBarriers(shown)))
    const unlock = async (shown: Page) => {
      await shown.getByLabel('PIN', { exact: true }).fill('271828')
      await shown.getByRole('button', { name: 'Unlock' }).click()
    }

    const first = await app.openWindow('Connect')
    await first.getByRole('banner').getByText(app.origin, { exact: true }).waitFor()
    await look(first)
    await unlock(first)
    await heading(first, 'Connect to this app?').waitFor()
    await look(first)
    await first.getByRole('button', { name: 'Connect' }).click()
    const [address] = (await app.readAnswer('Connect')) as [`0x${string}`]
    await heading(first, 'Connected').waitFor()

    await app.press('Buy')
    await heading(first, 'Too little money there').waitFor()
    await look(first)
    await payer.payNative(address, parseEther('0.5'))
    await waitUntilIndexed(service, payer)
    await first.getByRole('button', { name: 'Try again' }).click()
    await first.getByText('Wrap coins').waitFor()
    await first.getByText('Amount: 0.1 ETH').waitFor()
    await first.getByText('−0.1 ETH').waitFor()
    await first.getByText('+0.1 WETH').waitFor()
    await first.getByText('May be taken from you: all WETH, now and later').waitFor()
    await look(first)
    await first.getByRole('button', { name: 'Sign and send' }).click()
    await heading(first, 'Done').waitFor()
    expect(await app.readAnswer('Buy')).toEqual({ id: 'order' })
    await app.press('Status')
    expect(await app.readAnswer('Status')).toMatchObject({
      status: 200,
      receipts: [{ status: '0x1', logs: [{ address: wrappedNative.toLowerCase() }, {}] }],
    })
    const held = {
      address: wrappedNative,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    } as const
    expect(await payer.wallet.reader.readContract(held)).toBe(parseEther('0.1'))

    await app.press('Sign')
    await first.getByText(String.raw`tea \u{202e} for two`).waitFor()
    await look(first)
    await first.getByRole('button', { name: 'Sign' }).click()
    const signature = (await app.readAnswer('Sign')) as `0x${string}`
    expect(await verifyMessage({ address, message: 'tea \u202e for two', signature })).toBe(true)

    await app.press('Leave')
    await first.getByText('0x00ff').waitFor()
    await first.close()
    expect(await app.readAnswer('Leave')).toMatchObject({ code: 4001 })

    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('link', { name: 'Apps' }).click()
    await page.getByText('Connected on this device').waitFor()
    await look(page)
    await page.getByRole('button', { name: `Disconnect ${app.origin}` }).click()
    await page.getByText('Not connected on this device').waitFor()
    const second = await app.openWindow('Again')
    await unlock(second)
    expect(await app.readAnswer('Again')).toMatchObject({ code: 4100 })
    await heading(second, 'Not done').waitFor()
    await look(second)
    expect(await app.readAnswer('accountsChanged', 1)).toEqual([])

    expect(barriers).toEqual([])
    expect([...faults, ...app.faults]).toEqual([])
  },
)
