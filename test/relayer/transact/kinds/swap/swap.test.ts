import {
  decodeFunctionData,
  erc20Abi,
  numberToHex,
  parseEther,
  parseGwei,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startService } from '../../../../../gateway/compose.ts'
import { createLogger } from '../../../../../gateway/logging.ts'
import { routerAbi } from '../../../../../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import { activities } from '../../../../../schema/activity/model.ts'
import { pendingActivities } from '../../../../../schema/activity/pending-operations.ts'
import { readQuoteRequest } from '../../../../../schema/transact/kinds/quote-shapes.ts'
import { quoteBody } from '../../../../../schema/transact/model.ts'
import { quote as quoteShape } from '../../../../../schema/transact/quote-model.ts'
import { relayStatus } from '../../../../../schema/transact/submit-model.ts'
import { decodeCalls } from '../../../../../schema/client/chain/decode-call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import { expectNothingLeaked } from '../../../../harness/expect-nothing-leaked.ts'
import { SHARED_THREADS } from '../../../../harness/share-threads.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'

let service: TestService
let payer: Payer
let wrapped: Address
let alice: WalletSender

const ONE = parseEther('1')
const wrappedOf = (address: Address) =>
  payer.wallet.reader.readContract({
    address: wrapped,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })
const coinsOf = (address: Address) => payer.wallet.reader.getBalance({ address })

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  wrapped = service.parts.chains[0]!.wrappedNative!
  alice = await openWalletSender(service, payer)
})
afterAll(() => service?.stop())

const ask = async (body: Record<string, unknown>) =>
  alice.post('/quote', { type: 'swap', chainId: payer.chain.chainId, ...body })

/** Signs and submits a quote, and waits until it appears in the account's activity. */
async function execute(body: Record<string, unknown>) {
  const quote = await alice.quote({ type: 'swap', ...body })
  const submitted = await alice.post('/submit', await alice.sign(quote))
  expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 200 })
  // Nothing is said of sources while the past of the fresh output is still read, which takes moments.
  const readPending = async () => (await alice.get('/activities/pending')).body
  await expect
    .poll(async () => JSON.stringify(await readPending()), { timeout: 60_000, interval: 300 })
    .not.toContain('history_incomplete')
  const underWay = await readPending()
  pendingActivities.parse(underWay)
  const { pending } = underWay as z.input<typeof pendingActivities>
  await expect
    .poll(async () => relayStatus.parse((await alice.get(`/relay-status/${quote.quoteId}`)).body).status, {
      timeout: 60_000,
    })
    .toBe('confirmed')
  await waitUntilIndexed(service, payer)
  const { body: listed } = await alice.get('/activities')
  activities.parse(listed)
  return {
    quote: quoteShape.parse(quote),
    pending: pending.find(({ quoteId }) => quoteId === quote.quoteId),
    shown: (listed as z.input<typeof activities>).activity.find(({ quoteId }) => quoteId === quote.quoteId),
  }
}

it('native coins are wrapped to a fresh address and unwrapped again, and the activity shows both', async () => {
  const [funding] = await alice.receiveAll(zeroAddress, [2n * ONE])
  const wrap = await execute({ tokenIn: zeroAddress, tokenOut: wrapped, amountIn: String(ONE) })
  const output = wrap.quote.outputRecipient
  expect(wrap.quote).toMatchObject({
    routing: 'WRAP',
    expectedOutput: String(ONE),
    minimumOutput: String(ONE),
    outputToken: wrapped,
    outputSymbol: 'WETH',
    outputDecimals: 18,
    outputRecipientOwned: true,
    slippageMode: null,
    slippageBps: 0,
    requestedSlippageBps: null,
    bridgeProvider: null,
    recoveryRecipient: null,
    priceImpact: 0,
    fillDeadline: null,
    planId: expect.any(String),
    amountIn: String(ONE + BigInt(wrap.quote.fees.total)),
    selectedFundingSources: [{ address: funding }],
  })
  expect(output).not.toBe(funding)
  expect(await wrappedOf(output)).toBe(ONE)
  expect(await wrappedOf(funding!)).toBe(0n)
  expect(await coinsOf(funding!)).toBe(ONE - BigInt(wrap.quote.fees.total))
  const swap = {
    sourceTokenAddress: zeroAddress,
    sourceAmount: String(ONE),
    destTokenAddress: wrapped,
    destAmount: String(ONE),
    outputRecipient: output,
    outputRecipientIsOwnAddress: true,
  }
  const source = { editableSource: { id: `receive:${funding}` } }
  expect(wrap.pending).toMatchObject({
    kind: 'SWAP',
    swap,
    transfers: [],
    fundingAddresses: [funding],
    sourceProvenance: { displayContext: { reason: 'fresh_receive' }, ...source },
  })
  expect(wrap.shown).toMatchObject({ kind: 'SWAP', executionStatus: 'succeeded', swap, platformFeeBps: 20 })
  expect(wrap.shown?.fee).toMatchObject({ tokenAddress: zeroAddress, value: wrap.quote.fees.total })

  const half = ONE / 2n
  const unwrap = await execute({ tokenIn: wrapped, tokenOut: zeroAddress, amountIn: String(half) })
  expect(unwrap.quote).toMatchObject({
    routing: 'UNWRAP',
    expectedOutput: String(half),
    outputToken: zeroAddress,
    selectedFundingSources: [{ address: output, token: wrapped }],
  })
  const next = unwrap.quote.outputRecipient
  expect(await coinsOf(next)).toBe(half)
  // The fee is paid in the wrapped coin although it has no price: it counts one for one as the native coin.
  expect(await wrappedOf(output)).toBe(half - BigInt(unwrap.quote.fees.total))
  expect(BigInt(unwrap.quote.fees.network)).toBeGreaterThan(0n)
  expect(unwrap.shown).toMatchObject({
    kind: 'SWAP',
    // The output of the first swap is the same money.
    sourceProvenance: {
      displayContext: { reason: 'platform_action_output', actionTypes: ['SWAP'] },
      ...source,
    },
    swap: {
      sourceTokenAddress: wrapped,
      sourceAmount: String(half),
      destTokenAddress: zeroAddress,
      destAmount: String(half),
      outputRecipient: next,
    },
    fee: { tokenAddress: wrapped, value: unwrap.quote.fees.total },
  })
  await expectNothingLeaked(service.database.pool)
})

it('a swap is quoted by GraphQL as by REST, and an unsubmitted one leaves its address to the next', async () => {
  await alice.receiveAll(zeroAddress, [ONE])
  const asked = { tokenIn: zeroAddress, tokenOut: wrapped, amountIn: '1000' }
  const first = await alice.quote({ type: 'swap', ...asked })
  const { planId } = z.object({ planId: z.uuid() }).parse(first)
  const { outputRecipient } = quoteShape.parse(first)
  const refreshed = await alice.client.ask(
    'POST',
    `/v1/accounts/${alice.client.accountId}/quotes/${first.quoteId}/refresh`,
    {},
    { 'idempotency-key': 'refresh' },
  )
  expect(refreshed).toMatchObject({ planId, outputRecipient, routing: 'WRAP', expectedOutput: '1000' })
  await alice.post('/unlock', { quoteId: quoteShape.parse(refreshed).quoteId })

  const answer = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${alice.client.token}` },
    body: JSON.stringify({
      query: `mutation ($accountId: UUID!, $body: QuoteRequestInput!) {
        createQuote(accountId: $accountId, input: $body) {
          quote { id quoteId outputRecipient expectedOutput ... on SwapQuote { routing planId } } errors { code }
        }
      }`,
      variables: {
        accountId: alice.client.accountId,
        body: { swap: { chainId: payer.chain.chainId, ...asked } },
      },
    }),
  })
  expect(await answer.json()).toMatchObject({
    data: {
      createQuote: { quote: { routing: 'WRAP', outputRecipient, expectedOutput: '1000' }, errors: [] },
    },
  })
})

it('swaps that two instances quote together never give to the same address', async () => {
  const bob = await openWalletSender(service, payer)
  await bob.receiveAll(zeroAddress, [ONE])
  const asked = { type: 'swap', tokenIn: zeroAddress, tokenOut: wrapped, amountIn: '1000' }
  const { quoteId } = await bob.quote(asked)
  await bob.post('/unlock', { quoteId })
  const other = await startService({
    config: { ...service.config, chains: [...service.parts.chains], port: 0 },
    logger: createLogger({ level: 'silent' }),
    ...SHARED_THREADS,
  })
  try {
    const request = readQuoteRequest(quoteBody.parse({ ...asked, chainId: payer.chain.chainId }))
    const quotes = await Promise.all(
      [service, other].map(({ services }) => services.quotes.create(bob.client.accountId, request)),
    )
    expect(new Set(quotes.map(({ terms }) => terms['outputRecipient'])).size).toBe(2)
  } finally {
    await other.stop()
  }
})

it('max-spendable of a swap is the largest possible swap: a unit more is refused', async () => {
  const bob = await openWalletSender(service, payer)
  await bob.receiveAll(zeroAddress, [ONE])
  const { chainId } = payer.chain
  const { status, body } = await bob.post('/max-spendable', {
    type: 'swap',
    chainId,
    token: zeroAddress,
    tokenOut: wrapped,
  })
  expect(status, JSON.stringify(body)).toBe(200)
  const { maxAmount } = body as { maxAmount: string }
  const swap = { type: 'swap', chainId, tokenIn: zeroAddress, tokenOut: wrapped }
  const more = await bob.post('/quote', { ...swap, amountIn: String(BigInt(maxAmount) + 1n) })
  expect(more).toMatchObject({ status: 400, body: { code: 'INSUFFICIENT_FUNDS_FOR_FEES' } })
  expect(await bob.post('/quote', { ...swap, amountIn: maxAmount })).toMatchObject({
    status: 200,
    body: { expectedOutput: maxAmount },
  })
})

it('a swap that cannot be made is refused in the contract’s codes', async () => {
  // Contracts that are neither tokens nor in a pool.
  const [unpooled, other] = [payer.chain.entrypoint, payer.chain.collectible]
  const wrap = { tokenIn: zeroAddress, tokenOut: wrapped, amountIn: '1000' }
  for (const changes of [
    { tokenOut: unpooled },
    { tokenIn: unpooled },
    { tokenOutChainId: 1 },
    { tokenIn: unpooled, tokenOut: other },
  ])
    expect(await ask({ ...wrap, ...changes })).toMatchObject({
      status: 502,
      body: { code: 'SWAP_UNAVAILABLE' },
    })
  expect(
    await alice.post('/max-spendable', {
      type: 'swap',
      chainId: payer.chain.chainId,
      token: zeroAddress,
      tokenOut: unpooled,
    }),
  ).toMatchObject({ status: 502, body: { code: 'SWAP_UNAVAILABLE' } })
  for (const changes of [
    { amountIn: '0' },
    { amountIn: undefined },
    { tokenOut: undefined },
    { slippageBps: 10_001 },
  ])
    expect(await ask({ ...wrap, ...changes })).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  expect(await ask({ ...wrap, tokenOut: zeroAddress })).toMatchObject({
    status: 400,
    body: { code: 'SAME_TOKEN' },
  })
  expect(await ask({ ...wrap, decimals: 6 })).toMatchObject({
    status: 400,
    body: { code: 'DECIMALS_MISMATCH' },
  })
  expect(await ask({ ...wrap, amountIn: String(10n ** 30n) })).toMatchObject({
    status: 400,
    body: { code: 'INSUFFICIENT_BALANCE' },
  })
})

/** The first router function that a swap of this many euros into coins calls. */
async function firstLegOf(sender: WalletSender, euros: string): Promise<string> {
  const { tokens, uniswap } = payer.chain
  const swap = { type: 'swap', tokenIn: tokens[1]!.address, tokenOut: zeroAddress }
  const quote = await sender.quote({ ...swap, amountIn: String(parseEther(euros)) })
  await sender.post('/unlock', { quoteId: quote.quoteId })
  const calls = decodeCalls(quote.intents[0]!.executionData)
  const routed = calls.find(({ to }) => to.toLowerCase() === uniswap.router.toLowerCase())!
  const [, parts] = decodeFunctionData({ abi: routerAbi, data: routed.data }).args as unknown as [
    bigint,
    Hex[],
  ]
  return decodeFunctionData({ abi: routerAbi, data: parts[0]! }).functionName
}

it('a small swap takes the pair of its tokens, a large one the way around that gives more than its gas', async () => {
  const bob = await openWalletSender(service, payer)
  await bob.receiveAll(payer.chain.tokens[1]!.address, [parseEther('9000')])
  const request = (method: string, ...params: unknown[]) =>
    payer.wallet.reader.request({ method, params } as never)
  await request('anvil_setNextBlockBaseFeePerGas', numberToHex(parseGwei('10')))
  await request('evm_mine')
  await expect.poll(() => firstLegOf(bob, '300'), { interval: 500 }).toBe('swapExactTokensForTokens')
  expect(await firstLegOf(bob, '6000')).toBe('exactInput')
})
