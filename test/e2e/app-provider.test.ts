import type { Browser } from 'playwright-core'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  http,
  numberToHex,
  parseEther,
  verifyMessage,
  verifyTypedData,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { openAppPage, type AppPage } from '../harness/open-app-page.ts'
import { openAppWallet, type AppWallet } from '../harness/open-app-wallet.ts'
import { findBrowser, openBrowser } from '../harness/open-browser.ts'
import { startAppSite } from '../harness/start-app-site.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'

type Site = Awaited<ReturnType<typeof startAppSite>>

const program = findBrowser('the pages of apps in a browser')
let browser: Browser
let service: TestService
let payer: Payer
let token: Address
let site: Site
let wallet: AppWallet
let app: AppPage
/** The address that the app knows, with coins and tokens. */
let address: Address

const somebody = () => privateKeyToAddress(generatePrivateKey())
const transfer = (to: Address, amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})
const tokensOf = (owner: Address) =>
  payer.wallet.reader.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner],
  })
const open = (owner: AppWallet, { origin }: Site) =>
  openAppPage(browser, origin, (seen, notify) => owner.createProvider(seen, notify))

beforeAll(async () => {
  if (!program) return
  ;[browser, service, site] = await Promise.all([openBrowser(program), startSendingService(), startAppSite()])
  payer = await openPayer(service, 6)
  token = payer.chain.tokens[0]!.address
  wallet = await openAppWallet(service, payer)
  app = await open(wallet, site)
  ;[address] = (await app.run('connect')) as [Address]
  await payer.payNative(address, parseEther('1'))
  await payer.payToken(token, address, 1_000n)
  await waitUntilIndexed(service, payer)
})
beforeEach(() => {
  if (!program) return
  wallet.agrees = true
  wallet.asked.length = wallet.sent.length = 0
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
  await service?.stop()
})

test.runIf(program)(
  'a page sees no account before its user agrees, and then one that no other page sees',
  async () => {
    const other = await startAppSite()
    const owner = await openAppWallet(service, payer)
    const [first, second] = [await open(owner, site), await open(owner, other)]
    expect(await first.run('request', 'eth_accounts', [])).toEqual([])
    const [ofFirst] = await first.run('connect')
    expect(await second.run('request', 'eth_accounts', [])).toEqual([])
    const [ofSecond] = await second.run('connect')
    expect(ofFirst).not.toBe(ofSecond)
    expect(owner.asked).toEqual([
      { kind: 'connect', origin: site.origin },
      { kind: 'connect', origin: other.origin },
    ])
    await expect
      .poll(() => first.run('read'))
      .toEqual({
        name: 'Test wallet',
        events: [
          ['connect', { chainId: numberToHex(payer.chain.chainId) }],
          ['accountsChanged', [ofFirst]],
        ],
      })
    expect(await first.run('request', 'personal_sign', ['0x00', ofSecond])).toMatchObject({ code: 4100 })
    await first.close()
    // The same page later, in another browser: the same address.
    const again = await open(owner, site)
    expect(await again.run('connect')).toEqual([ofFirst])
    await Promise.all([again.close(), second.close()])
    await other.stop()
  },
)

test.runIf(program)(
  'a page sends two calls in one batch, which the chain executes in one transaction',
  async () => {
    const [id, friend] = ['shopping', somebody()]
    expect(await app.run('getCapabilities')).toEqual({
      [payer.chain.chainId]: { atomic: { status: 'supported' } },
    })
    const control = createTestClient({ mode: 'anvil', transport: http(payer.chain.rpcUrl) })
    await control.setAutomine(false)
    try {
      await app.run('sendCalls', [transfer(friend, 9n), { to: friend, value: 5n }], id)
      expect(await app.run('getCallsStatus', id)).toMatchObject({
        statusCode: 100,
        atomic: true,
        receipts: [],
      })
    } finally {
      await control.setAutomine(true)
      await control.mine({ blocks: 1 })
    }
    const done = await app.run('waitForCallsStatus', id)
    expect(done).toMatchObject({ statusCode: 200, atomic: true, chainId: payer.chain.chainId })
    const [receipt] = done.receipts!
    expect(done.receipts).toHaveLength(1)
    const mined = await payer.wallet.reader.getTransactionReceipt({ hash: receipt!.transactionHash })
    expect(receipt).toMatchObject({
      status: 'success',
      blockHash: mined.blockHash,
      blockNumber: mined.blockNumber,
      gasUsed: mined.gasUsed,
    })
    expect(receipt!.logs.map((log) => log.address)).toEqual([token.toLowerCase()])
    const { blockNumber } = mined
    const { reader } = payer.wallet
    expect([await tokensOf(friend), await reader.getBalance({ address: friend })]).toEqual([9n, 5n])
    expect(await reader.getBalance({ address: friend, blockNumber: blockNumber - 1n })).toBe(0n)
    expect(wallet.asked).toMatchObject([{ kind: 'calls', origin: site.origin, from: address }])
    await waitUntilIndexed(service, payer)
  },
)

test.runIf(program)('a page sends a transaction and gets the hash by which the chain has it', async () => {
  const friend = somebody()
  const hash = (await app.run('sendTransaction', { to: friend, value: 7n })) as Hex
  expect(await payer.wallet.reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  expect(await payer.wallet.reader.getBalance({ address: friend })).toBe(7n)
  expect(await app.run('request', 'eth_getTransactionReceipt', [hash])).toMatchObject({
    transactionHash: hash,
  })
  await waitUntilIndexed(service, payer)
})

test.runIf(program)('a page has messages and typed data signed by the address that it knows', async () => {
  const message = 'Bonjour ✓'
  const signature = (await app.run('signMessage', message)) as Hex
  expect(await verifyMessage({ address, message, signature })).toBe(true)
  const { host } = new URL(site.origin)
  const signIn = `${host} wants you to sign in with your Ethereum account:\n${address}\n\n\nURI: ${site.origin}/login\nVersion: 1`
  const signed = (await app.run('signMessage', signIn)) as Hex
  expect(await verifyMessage({ address, message: signIn, signature: signed })).toBe(true)
  const typedData = {
    domain: { name: 'Shop', chainId: payer.chain.chainId, verifyingContract: token },
    types: {
      Order: [
        { name: 'item', type: 'string' },
        { name: 'price', type: 'uint256' },
      ],
    },
    primaryType: 'Order',
    message: { item: 'tea', price: 5n },
  } as const
  const ordered = (await app.run('signTypedData', typedData)) as Hex
  expect(await verifyTypedData({ ...typedData, address, signature: ordered })).toBe(true)
  expect(wallet.asked).toMatchObject([
    { kind: 'message', text: message, from: address },
    { kind: 'message', text: signIn },
    { kind: 'typed-data', typedData: { message: { item: 'tea', price: '5' } } },
  ])
})

test.runIf(program)('a page whose user refuses gets 4001, and the service is asked for nothing', async () => {
  wallet.agrees = false
  const typedData = { domain: {}, types: { Order: [] }, primaryType: 'Order', message: {} }
  const refusals = [
    await app.run('sendCalls', [{ to: somebody(), value: 1n }], 'unwanted'),
    await app.run('sendTransaction', { to: somebody(), value: 1n }),
    await app.run('signMessage', 'hello'),
    await app.run('signTypedData', typedData),
  ]
  expect(refusals.map((refusal) => (refusal as { code?: number }).code)).toEqual([4001, 4001, 4001, 4001])
  expect(wallet.asked).toHaveLength(4)
  expect(wallet.sent).toEqual([])
  expect(await app.run('getCallsStatus', 'unwanted')).toMatchObject({ code: 5730 })
})

test.runIf(program)('a frame of another site gets nothing, whatever it says it is', async () => {
  const other = await startAppSite()
  await app.page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const { document } = globalThis as unknown as {
          document: {
            createElement(tag: string): Record<string, unknown>
            body: { append(node: unknown): void }
          }
        }
        const frame = Object.assign(document.createElement('iframe'), { src, onload: resolve })
        document.body.append(frame)
      }),
    other.origin,
  )
  const frame = app.page.frames().find((one) => one.url().startsWith(other.origin))
  const ask = `askWallet({ method: 'eth_accounts', origin: ${JSON.stringify(site.origin)} })`
  expect(await frame?.evaluate(ask)).toMatchObject({ error: { code: 4100 } })
  expect(await app.page.evaluate(ask)).toEqual({ result: [address] })
  await other.stop()
})
