import type { Browser, Page } from 'playwright-core'
import { numberToHex, parseEther, stringToHex, verifyTypedData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPayer, waitUntilIndexed } from '../harness/chain-actors.ts'
import { findBarriers } from '../harness/find-barriers.ts'
import { findBrowser, openBrowser } from '../harness/open-browser.ts'
import type { TestService } from '../harness/start-service.ts'
import { openAppInBrowser } from '../gateway/wallet/open-app-in-browser.ts'
import { openWalletPage } from '../gateway/wallet/open-wallet-page.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'

const program = findBrowser('the windows of apps in a browser')
const PIN = '271828'
let browser: Browser
let service: TestService

beforeAll(async () => {
  if (!program) return
  ;[browser, service] = await Promise.all([openBrowser(program), startSendingService()])
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test.runIf(program)(
  'a person makes a wallet in the window of an app, and uses two apps that cannot tell that they know one person',
  { timeout: 400_000 },
  async () => {
    const payer = await openPayer(service, 6)
    const { chainId, rpcUrl } = payer.chain
    const friend = payer.chain.accounts[8]!.address
    const { context } = await openWalletPage(browser, service.url, { reducedMotion: 'reduce' })
    onTestFinished(() => context.close())
    const typedData = {
      domain: { name: 'Shop', chainId, verifyingContract: payer.chain.tokens[0]!.address },
      types: {
        Order: [
          { name: 'item', type: 'string' },
          { name: 'price', type: 'uint256' },
        ],
      },
      primaryType: 'Order',
      message: { item: 'tea', price: '5', unsigned: 'coffee' },
    } as const
    const settings = {
      wallet: service.url.replace('127.0.0.1', 'localhost'),
      chains: [{ chainId, rpcUrl }] as const,
      buttons: [
        { name: 'Connect', method: 'eth_requestAccounts', params: [] },
        { name: 'Refused', method: 'eth_requestAccounts', params: [] },
        {
          name: 'Pay',
          method: 'eth_sendTransaction',
          params: [{ from: '$account', to: friend, value: '0x5' }],
        },
        { name: 'Order', method: 'eth_signTypedData_v4', params: ['$account', JSON.stringify(typedData)] },
        { name: 'First', method: 'personal_sign', params: [stringToHex('first'), '$account'] },
        { name: 'Second', method: 'personal_sign', params: [stringToHex('second'), '$account'] },
        { name: 'Elsewhere', method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] },
        { name: 'Read', method: 'eth_getBalance', params: ['$account', 'latest'] },
      ],
    }
    const barriers: string[] = []
    const look = async (shown: Page) => void barriers.push(...(await findBarriers(shown)))

    const app = await openAppInBrowser(context, settings)
    const shown = await app.openWindow('Refused')
    await shown.getByRole('button', { name: 'Use a PIN instead' }).click()
    await shown.getByLabel('PIN, 6 digits or more').fill(PIN)
    await shown.getByLabel('The same again').fill(PIN)
    await shown.getByRole('button', { name: 'Create the wallet' }).click()
    await shown.getByRole('button', { name: 'Refuse' }).click()
    expect(await app.readAnswer('Refused')).toMatchObject({ code: 4001 })
    await heading(shown, 'Refused').waitFor()
    await look(shown)
    await app.press('Connect')
    await shown.getByRole('button', { name: 'Connect' }).click()
    const [address] = (await app.readAnswer('Connect')) as [Hex]

    await payer.payNative(address, parseEther('0.5'))
    await waitUntilIndexed(service, payer)
    await app.press('Pay')
    await shown.getByText('Pay 0.000000000000000005 ETH').waitFor()
    await look(shown)
    await shown.getByRole('button', { name: 'Sign and send' }).click()
    await heading(shown, 'On its way').waitFor()
    const hash = (await app.readAnswer('Pay')) as Hex
    expect(await payer.wallet.reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    await heading(shown, 'Done').waitFor()
    await app.press('Read')
    expect(await app.readAnswer('Read')).toBe(numberToHex(await payer.wallet.reader.getBalance({ address })))

    await app.press('Order')
    await heading(shown, 'Sign this data?').waitFor()
    await shown.getByText('tea', { exact: true }).waitFor()
    expect(await shown.getByText('coffee').count()).toBe(0)
    await look(shown)
    await shown.getByRole('button', { name: 'Sign' }).click()
    const signature = (await app.readAnswer('Order')) as Hex
    const signed = { ...typedData, message: { item: 'tea', price: 5n } }
    expect(await verifyTypedData({ ...signed, address, signature })).toBe(true)

    await app.press('First')
    await shown.getByText('first', { exact: true }).waitFor()
    await app.press('Second')
    expect(await app.readAnswer('Second')).toMatchObject({ code: -32002 })
    await shown.reload()
    expect(await app.readAnswer('First')).toMatchObject({ code: 4001 })
    await app.press('Elsewhere')
    expect(await app.readAnswer('Elsewhere')).toMatchObject({ code: 4902 })

    const other = await openAppInBrowser(context, settings)
    const next = await other.openWindow('Connect')
    await next.getByLabel('PIN', { exact: true }).fill(PIN)
    await next.getByRole('button', { name: 'Unlock' }).click()
    await next.getByRole('button', { name: 'Connect' }).click()
    const [ofOther] = (await other.readAnswer('Connect')) as [Hex]
    expect(ofOther).not.toBe(address)
    await next.getByRole('button', { name: 'Lock' }).click()
    await next.getByRole('button', { name: 'Unlock' }).waitFor()
    const alone = await context.newPage()
    await alone.goto(`${settings.wallet}/wallet/connect`)
    await heading(alone, 'No app asks for anything').waitFor()
    await look(alone)

    expect(barriers).toEqual([])
    expect([...app.faults, ...other.faults]).toEqual([])
  },
)
