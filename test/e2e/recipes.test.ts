import { readdirSync, readFileSync } from 'node:fs'
import { getAddress, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { findBrowser, openBrowser } from '../harness/open-browser.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { knownOf } from './examples/demo/known-of.ts'
import { comeBack } from './examples/recipes/come-back.ts'
import { explainRefusal } from './examples/recipes/explain-refusal.ts'
import { nextPayment } from './examples/recipes/next-payment.ts'
import { openAccount } from './examples/recipes/open-account.ts'
import { pay } from './examples/recipes/pay.ts'
import { payInSteps } from './examples/recipes/pay-in-steps.ts'
import { readBalances } from './examples/recipes/read-balances.ts'
import { receivePayment } from './examples/recipes/receive-payment.ts'
import { remember } from './examples/recipes/remember.ts'
import { wrapCoin } from './examples/recipes/wrap-coin.ts'
import { openRecipePage } from './open-recipe-page.ts'

const program = findBrowser('the recipes in a page')
let browser: Browser | undefined
let service: TestService
let payer: Payer
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startSendingService(), program ? openBrowser(program) : undefined])
  payer = await openPayer(service, 3)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const somebody = () => getAddress(privateKeyToAddress(generatePrivateKey()))

test('each recipe of the client package’s README is a file that a test runs, word for word', () => {
  const folder = new URL('examples/recipes/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  const recipes = files.map((file) =>
    read(`examples/recipes/${file}`).replaceAll('stealth-relay/client', 'stealth-relay-client'),
  )
  const blocks = [...read('../../schema/client/README.md').matchAll(/```tsx?\n([\s\S]*?)```/g)]
  expect(new Set(blocks.map(([, text]) => text))).toEqual(new Set(recipes))
  expect(recipes.length).toBeGreaterThan(15)
})

test('the recipes of the client package run', async () => {
  const keys = { spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }
  const { chain } = payer
  const known = { ...knownOf(chain), wrapped: chain.wrappedNative, router: chain.uniswap.router }
  const friend = somebody()
  const { chainId } = chain

  const client = await openAccount(service.url, keys, known)
  const leave = new AbortController()
  const payment = nextPayment(client, leave.signal)
  const shown = []
  for (let count = 0; count < 3; count += 1) {
    const { address, account } = await receivePayment(client)
    expect(account.address).toBe(address)
    await payer.payNative(address, parseEther('1'))
    shown.push(address)
  }
  await waitUntilIndexed(service, payer)
  expect(await payment).toMatchObject({ chainId, token: zeroAddress })
  expect(await readBalances(client, chainId)).toEqual(['3 ETH'])

  const paid = await pay(client, chainId, friend, parseEther('0.5'))
  expect(BigInt(paid.fee)).toBeGreaterThan(0n)
  const terms = { chainId, destination: friend, amount: parseEther('0.25') }
  const fees: bigint[] = []
  expect(await payInSteps(client, terms, async (fee) => fees.push(fee) === 0)).toBeNull()
  expect(await payInSteps(client, terms, async (fee) => fees.push(fee) === 2)).toMatch(/^0x[0-9a-f]{64}$/)
  expect(fees.every((fee) => fee > 0n)).toBe(true)
  expect(await explainRefusal(client, chainId, friend)).toMatchObject({ retry: 'changed' })
  expect(await wrapCoin(client, known, parseEther('0.25'))).toMatch(/^0x[0-9a-f]{64}$/)

  const { quoteId } = await client.call('createQuote', {
    body: { type: 'send', chainId, token: zeroAddress, amount: '1', destinationAddress: friend },
  })
  expect(await remember(client, keys, friend, quoteId)).toBe('for the tickets')
  const { addresses, mnemonic } = comeBack(client, keys, 77n)
  expect(addresses.map(({ address }) => address)).toEqual(shown)
  expect(mnemonic.split(' ')).toHaveLength(12)
  leave.abort()
})

test.runIf(program)(
  'a page of the recipes shows what arrives and pays, and its worker proves by a strict policy',
  async () => {
    const { page, faults, run, close } = await openRecipePage(browser!, service.url)
    onTestFinished(close)
    const { chain } = payer
    const { reader } = payer.wallet
    const keys = { spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }
    const terms = { chainId: chain.chainId, amount: parseEther('0.5'), destination: somebody() }
    const wallet = { url: service.url, keys, chain: knownOf(chain), terms }
    const address = await run('open', wallet)
    await payer.payNative(address, parseEther('1'))
    await page.getByText('1 ETH', { exact: true }).waitFor()

    // An offer that the user leaves gives its funds back at once.
    const asking = page.waitForResponse(/\/quote$/)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    const { quoteId } = (await (await asking).json()) as { quoteId: string }
    await run('leave')
    const client = await openAccount(service.url, keys, knownOf(chain))
    await expect
      .poll(async () => (await client.call('relayStatus', { path: { quoteId } })).status)
      .toBe('unlocked')

    await run('open', wallet)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Pay a fee of' }).click()
    await page.getByText('Paid: 0x').waitFor()
    expect(await reader.getBalance({ address: terms.destination })).toBe(terms.amount)
    // The rest, less the fee, once the order is closed.
    await page.getByText(/^0\.49\d+ ETH$/).waitFor()

    const { publicSignals } = await run('prove')
    expect(publicSignals.slice(2)).toEqual(['1', '2'])
    expect(faults).toEqual([])
  },
)
