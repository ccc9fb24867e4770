import { readFileSync } from 'node:fs'
import {
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseEther,
  parseGwei,
  parseUnits,
  zeroAddress,
} from 'viem'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { venuesConfig } from '../../../../../relayer/chain/nodes/venues-config.ts'
import { OUTPUT_GUARD_ADDRESS } from '../../../../../relayer/transact/venues/swap/kyberswap/kyberswap-venue.ts'
import { OUTPUT_GUARD_CODE } from '../../../../../relayer/transact/venues/swap/kyberswap/output-guard-code.ts'
import { relayStatus } from '../../../../../schema/transact/submit-model.ts'
import { quote as quoteShape } from '../../../../../schema/transact/quote-model.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import { controlBlocks } from '../../../../harness/control-blocks.ts'
import { compileSolidity } from '../../../../harness/compile-solidity.ts'
import { startAggregator, type Aggregator, type Lies } from '../../../../harness/start-aggregator.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'

const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
}
const compile = (file: URL) => compileSolidity({ 'input.sol': readFileSync(file, 'utf8') }, SETTINGS)
const { LyingRouter, GrantingToken } = compile(
  new URL('../../../../harness/LyingRouter.sol', import.meta.url),
)

const DOLLARS = parseUnits('100', 6)
const EUROS = parseEther('100')
const thief: Address = '0x00000000000000000000000000000000000bad01'

let service: TestService
let payer: Payer
let alice: WalletSender
let aggregator: Aggregator
let router: Address
let dollar: Address
let euro: Address
let granting: Address
let holder: Address

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
  euro = payer.chain.tokens[1]!.address
  router = await deploy(LyingRouter!)
  granting = await deploy(GrantingToken!)
  await payer.payToken(euro, router, 1_000n * EUROS)
  await payer.payToken(dollar, router, 1_000n * DOLLARS)
  await payer.payNative(router, parseEther('10'))
  await payer.wallet.sender.writeContract({
    address: granting,
    abi: GrantingToken!.abi,
    functionName: 'mint',
    args: [router, 1_000n * EUROS],
  })
  aggregator = await startAggregator('devnet', router, (tokenIn, tokenOut) => {
    if (tokenOut === thief) return null
    if (tokenIn === zeroAddress) return [3_000n, 1n]
    return tokenOut === zeroAddress ? [10n ** 12n, 3_000n] : [10n ** 12n, 1n]
  })
  // The service reads the settings of its chains at each quote.
  const { venues } = service.parts.chains[0]!
  delete venues.uniswap
  venues.kyberswap = { url: aggregator.url, chain: 'devnet', router }
  alice = await openWalletSender(service, payer)
  const [address] = await alice.receiveAll(dollar, [100n * DOLLARS])
  holder = address!
})
afterEach(() => {
  aggregator.lies = {}
  aggregator.asked.length = 0
})
afterAll(async () => {
  await service?.stop()
  await aggregator?.[Symbol.asyncDispose]()
})

async function deploy(contract: NonNullable<typeof LyingRouter>): Promise<Address> {
  const { sender, reader } = payer.wallet
  const hash = await sender.deployContract({ ...contract, args: [] })
  return (await reader.waitForTransactionReceipt({ hash })).contractAddress!
}
const allowanceOf = (token: Address, owner: Address) =>
  payer.wallet.reader.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, router],
  })
const balance = (token: Address, owner: Address) =>
  token === zeroAddress
    ? payer.wallet.reader.getBalance({ address: owner })
    : payer.wallet.reader.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [owner],
      })
const body = (changes: Record<string, unknown> = {}) => ({
  type: 'swap',
  chainId: payer.chain.chainId,
  tokenIn: dollar,
  tokenOut: euro,
  amountIn: String(DOLLARS),
  ...changes,
})
const ask = (changes: Record<string, unknown> = {}) => alice.post('/quote', body(changes))

async function swap(
  changes: Record<string, unknown> = {},
  status = 'confirmed',
  onceSubmitted: () => Promise<void> = async () => {},
) {
  const quote = await alice.quote(body(changes))
  const submitted = await alice.post('/submit', await alice.sign(quote))
  expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 200 })
  await onceSubmitted()
  await expect
    .poll(async () => relayStatus.parse((await alice.get(`/relay-status/${quote.quoteId}`)).body).status)
    .toBe(status)
  await waitUntilIndexed(service, payer)
  return quoteShape.parse(quote)
}

it('an honest aggregator exchanges tokens and coins, and no allowance stays', async () => {
  const out = await swap()
  expect(out).toMatchObject({ routing: 'CLASSIC', expectedOutput: String(EUROS), priceImpact: null })
  expect(await balance(euro, out.outputRecipient)).toBe(EUROS)
  expect(await allowanceOf(dollar, holder)).toBe(0n)
  const coins = await swap({ tokenOut: zeroAddress })
  expect(await balance(zeroAddress, coins.outputRecipient)).toBe(parseEther('0.1') / 3n)
})

it('the aggregator learns pair and amount, then one address that no other quote gets', async () => {
  const first = await alice.quote(body())
  const second = await alice.quote(body({ amountIn: String(DOLLARS / 2n) }))
  for (const { quoteId } of [first, second]) await alice.post('/unlock', { quoteId })
  const third = await alice.quote(body())
  const outputs = [first, second, third].map((quote) => quoteShape.parse(quote).outputRecipient)
  expect(new Set(outputs).size).toBe(3)
  const routes = aggregator.asked.filter(({ path }) => !path.endsWith('/build'))
  const builds = aggregator.asked.filter(({ path }) => path.endsWith('/build'))
  for (const { path } of routes)
    expect([...new URLSearchParams(path.split('?')[1]).keys()].sort()).toEqual([
      'amountIn',
      'tokenIn',
      'tokenOut',
    ])
  expect(routes.length).toBeGreaterThan(0)
  for (const { body: text } of builds) {
    const { sender, recipient } = JSON.parse(text) as { sender: Address; recipient: Address }
    expect(sender).toBe(recipient)
  }
  expect(JSON.stringify(aggregator.asked).toLowerCase()).not.toContain(holder.toLowerCase())
  await alice.post('/unlock', { quoteId: third.quoteId })
})

const grantAll = () =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [thief, maxUint256] })
const LEFT = 'The swap would leave an approval behind'
const LESS = 'The swap would give less than half of its venue’s quote'
const lies: [what: string, refusal: string, lies: () => Lies, changes?: () => Record<string, unknown>][] = [
  ['takes more than was agreed', 'SIMULATION_FAILED', () => ({ deed: { take: 2n * DOLLARS } })],
  ['takes less than was agreed', 'SIMULATION_FAILED', () => ({ deed: { take: DOLLARS / 2n } })],
  ['pays one unit', LESS, () => ({ deed: { give: 1n } })],
  ['pays nothing', 'SIMULATION_FAILED', () => ({ deed: { give: 0n } })],
  ['pays somebody else', 'SIMULATION_FAILED', () => ({ deed: { to: thief } })],
  ['pays in another token', 'SIMULATION_FAILED', () => ({ deed: { tokenOut: dollar, give: DOLLARS / 2n } })],
  [
    'quotes little and pays it, where prices are known',
    'PRICE_IMPACT_TOO_HIGH',
    () => ({ quoted: () => EUROS / 2n, deed: { give: EUROS / 2n } }),
  ],
  [
    'has itself allowed to take more',
    LEFT,
    () => ({ deed: { does: 'exchangeAndGrant' } }),
    () => ({ tokenOut: granting }),
  ],
  [
    'names the spent token as its router, to be approved',
    'SWAP_UNAVAILABLE',
    () => ({ routerAddress: dollar, data: grantAll() }),
  ],
  ['gives the router an approval to make', 'SIMULATION_FAILED', () => ({ data: grantAll() })],
  ['answers another amount', 'SWAP_UNAVAILABLE', () => ({ summary: { amountIn: '1' } })],
  ['answers another token', 'SWAP_UNAVAILABLE', () => ({ summary: { tokenOut: thief } })],
  ['quotes more than there can be', 'SWAP_UNAVAILABLE', () => ({ summary: { amountOut: '9'.repeat(78) } })],
  ['has no route', 'SWAP_UNAVAILABLE', () => ({ answer: { status: 400, body: '{"code":4008}' } })],
  ['refuses', 'SWAP_UNAVAILABLE', () => ({ answer: { status: 500, body: '{"code":500}' } })],
  ['sends half a document', 'SWAP_UNAVAILABLE', () => ({ answer: { status: 200, body: '{"code":0,' } })],
  [
    'sends more than is read',
    'SWAP_UNAVAILABLE',
    () => ({ answer: { status: 200, body: `"${'x'.repeat(600_000)}"` } }),
  ],
  [
    'sends what is nested too deeply',
    'SWAP_UNAVAILABLE',
    () => ({ answer: { status: 200, body: '['.repeat(500_000) } }),
  ],
  ['does not answer', 'SWAP_UNAVAILABLE', () => ({ isSilent: true })],
]

it.each(lies)('a quote is refused where the aggregator %s', async (_, refusal, lie, changes) => {
  aggregator.lies = lie()
  const { code, message } = (await ask(changes?.())).body as { code: string; message: string }
  expect(refusal === code ? code : message).toBe(refusal)
})

it('a quote promises the output of our own run, whatever the aggregator claims', async () => {
  aggregator.lies = { quoted: (honest) => (honest * 3n) / 2n }
  const { body: boastful } = await ask()
  expect(boastful).toMatchObject({ expectedOutput: String(EUROS) })
  await alice.post('/unlock', { quoteId: (boastful as { quoteId: string }).quoteId })
})

it('submission detects a router that pays only where no gas is paid for', async () => {
  aggregator.lies = { deed: { does: 'exchangeInSimulation' } }
  const quote = await alice.quote(body())
  const { body: refused } = await alice.post('/submit', await alice.sign(quote))
  expect(refused).toMatchObject({ code: 'QUOTE_REFRESH_REQUIRED' })
  await alice.post('/unlock', { quoteId: quote.quoteId })
})

it('the guard undoes all of it if the router behaves in every simulation and not in the block', async () => {
  const { reader, sender } = payer.wallet
  const node = (method: string, ...params: unknown[]): Promise<Record<string, string>> =>
    reader.request({ method, params } as never)
  const blocks = controlBlocks(node)
  const before = await balance(dollar, holder)
  await blocks.hold()
  const failed = await swap({}, 'failed', async () => {
    await expect.poll(async () => (await node('txpool_status'))['pending']).toBe('0x1')
    const { baseFeePerGas } = await reader.getBlock()
    await sender.writeContract({
      address: router,
      abi: LyingRouter!.abi,
      functionName: 'beStingy',
      gas: 100_000n,
      // It is first in the block.
      maxPriorityFeePerGas: parseGwei('900'),
      maxFeePerGas: parseGwei('900') + 2n * (baseFeePerGas ?? 0n),
    })
    await blocks.release()
    await blocks.mine()
  })
  expect(
    await reader.readContract({ address: router, abi: LyingRouter!.abi, functionName: 'isStingy' }),
  ).toBe(true)
  expect(await balance(euro, failed.outputRecipient)).toBe(0n)
  expect(await balance(dollar, holder)).toBe(before)
  expect(await allowanceOf(dollar, holder)).toBe(0n)
})

it('a chain whose guard has no code, or another one, has no aggregator', async () => {
  const { venues } = service.parts.chains[0]!
  for (const guard of [thief, router]) {
    venues.outputGuard = guard
    expect((await ask()).body).toMatchObject({ code: 'SWAP_UNAVAILABLE' })
  }
  venues.outputGuard = OUTPUT_GUARD_ADDRESS
  expect(aggregator.asked).toEqual([])
})

it('an aggregator without a guard is refused in the settings', () => {
  const kyberswap = { url: 'http://localhost', chain: 'base', router: thief }
  expect(() => venuesConfig.parse({ kyberswap })).toThrow('needs `outputGuard` beside it')
})

it('the guard’s code is its source, compiled', () => {
  const folder = '../../../../../relayer/transact/venues/swap/kyberswap/contracts'
  const { OutputGuard } = compile(new URL(`${folder}/OutputGuard.sol`, import.meta.url))
  expect(OutputGuard?.bytecode).toBe(OUTPUT_GUARD_CODE)
})
