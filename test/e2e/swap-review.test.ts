import {
  concat,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseEther,
  parseUnits,
  size,
  slice,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeCalls } from '../../relayer/transact/intents/encode-calls.ts'
import type { Call } from '../../relayer/transact/intents/intent.ts'
import {
  appendSuffix,
  encodeAttribution,
  type CalldataCaveat,
} from '../../relayer/transact/signing/calldata-caveats.ts'
import { routerAbi } from '../../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { startLyingGateway, type LyingGateway } from '../harness/start-lying-gateway.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { openNewClient, type Client } from './examples/client.ts'
import { decodeCalls } from './examples/check-quote.ts'
import { swap, type SwapOptions, type SwapQuote } from './examples/swap.ts'

let service: TestService
let payer: Payer
let liar: LyingGateway
let client: Client
let wrapping: SwapOptions
let unwrapping: SwapOptions
let exchanging: SwapOptions
const CODE = 'relay'

beforeAll(async () => {
  service = await startSendingService({ transact: { attribution: { codes: [CODE], kinds: ['swap'] } } })
  payer = await openPayer(service, 4)
  liar = await startLyingGateway(service.url)
  client = await openNewClient({ url: liar.url })
  const wrapped = service.parts.chains[0]!.wrappedNative!
  const swapped = { chainId: payer.chain.chainId, amountIn: parseEther('0.5') }
  const { router } = service.parts.chains[0]!.venues.uniswap!
  const contracts = { wrapped, router }
  wrapping = { ...swapped, tokenIn: zeroAddress, tokenOut: wrapped, contracts }
  unwrapping = { ...swapped, tokenIn: wrapped, tokenOut: zeroAddress, amountIn: parseEther('0.1'), contracts }
  const dollar = payer.chain.tokens.find(({ decimals }) => decimals === 6)!
  exchanging = {
    ...swapped,
    tokenIn: dollar.address,
    tokenOut: zeroAddress,
    amountIn: parseUnits('300', 6),
    contracts,
  }
  await payer.payNative((await client.receive()).address, parseEther('2'))
  await payer.payToken(dollar.address, (await client.receive()).address, parseUnits('1000', 6))
  await waitUntilIndexed(service, payer)
})
afterAll(async () => {
  await liar?.stop()
  await service?.stop()
})

const somebody = (): Address => privateKeyToAddress(generatePrivateKey())

/** The quote with other calls in its first intent. */
function withCalls(quote: SwapQuote, change: (calls: readonly Call[]) => readonly Call[]): SwapQuote {
  const [intent, ...others] = quote.intents
  if (!intent) throw new Error('a quote without intents')
  const executionData = encodeCalls(change(decodeCalls(intent.executionData)))
  return { ...quote, intents: [{ ...intent, executionData }, ...others] }
}

const replaced = <Item>(items: readonly Item[], place: number, change: (item: Item) => Item) =>
  items.map((item, index) => (index === place ? change(item) : item))

const payTo = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

test('an honest quote is signed, and its marked calls are executed as the wallet read them', async () => {
  const { reader } = payer.wallet
  const { quote } = await swap(client, wrapping)
  const [review] = quote.signingReview.intents
  expect(review?.calldataCaveats).toMatchObject([{ callIndex: 1, kind: 'erc8021', suffixLength: 23 }])
  expect(quote.fundingCaveats.map(({ kind }) => kind)).toEqual(['output_linked', 'attribution'])
  const output = { address: wrapping.contracts.wrapped, abi: erc20Abi } as const
  expect(
    await reader.readContract({ ...output, functionName: 'balanceOf', args: [quote.outputRecipient] }),
  ).toBe(wrapping.amountIn)
  await waitUntilIndexed(service, payer)
  const { quote: back } = await swap(client, unwrapping)
  expect(await reader.getBalance({ address: back.outputRecipient })).toBe(unwrapping.amountIn)
})

test('a swap through pools gives at least its minimum to a key of the client, and leaves no allowance', async () => {
  const { reader } = payer.wallet
  const { tokenIn, contracts } = exchanging
  const { quote } = await swap(client, exchanging)
  expect(quote).toMatchObject({ routing: 'CLASSIC', outputToken: zeroAddress, outputRecipientOwned: true })
  const got = await reader.getBalance({ address: quote.outputRecipient })
  expect(got).toBeGreaterThanOrEqual(BigInt(quote.minimumOutput))
  const { address: owner } = quote.selectedFundingSources[0]!
  const token = { address: tokenIn, abi: erc20Abi } as const
  const args = [owner, contracts.router!] as const
  expect(await reader.readContract({ ...token, functionName: 'allowance', args })).toBe(0n)
  expect(await reader.readContract({ ...token, functionName: 'balanceOf', args: [contracts.router!] })).toBe(
    0n,
  )
  await waitUntilIndexed(service, payer)
})

test('the example client refuses a swap in which a single member lies', async () => {
  const thief = somebody()
  await expectRefused(wrapping, {
    minimum: ['minimum is lower', (quote) => ({ ...quote, minimumOutput: '1' })],
    output: ['another minimum', (quote) => ({ ...quote, minimumOutput: '2', expectedOutput: '2' })],
    slippage: ['more slippage', (quote) => ({ ...quote, slippageBps: 50 })],
    token: ['another token', (quote) => ({ ...quote, outputToken: thief })],
    recipient: ['no address of the account', (quote) => ({ ...quote, outputRecipient: thief })],
    routing: ['cannot read', (quote) => ({ ...quote, routing: 'MAGIC' })],
    fees: ['cost another amount', (quote) => ({ ...quote, amountIn: String(wrapping.amountIn) })],
    'recipient of the call': [
      'to somebody else',
      (quote) => withTransfer(quote, (call) => ({ ...call, data: payTo(thief, wrapping.amountIn) })),
    ],
    'amount of the call': [
      'another amount',
      (quote) => withCalls(quote, (calls) => replaced(calls, 0, (call) => ({ ...call, value: 1n }))),
    ],
    'an extra call': [
      'other calls',
      (quote) => {
        const extra = withCalls(quote, ([first, ...rest]) => [
          first!,
          { to: thief, value: 1n, data: '0x' },
          ...rest,
        ])
        return reviewed(extra, { userActionCallIndices: [0, 1, 2] }, 2)
      },
    ],
    'an approval of everything': [
      'a call of approve',
      (quote) =>
        withTransfer(quote, (call) => ({
          ...call,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [thief, maxUint256] }),
        })),
    ],
    'another contract': [
      'calls something else',
      (quote) => withCalls(quote, (calls) => replaced(calls, 0, (call) => ({ ...call, to: thief }))),
    ],
    'more fee': [
      'cost another amount',
      (quote) =>
        withCalls(quote, (calls) => replaced(calls, 2, (call) => ({ ...call, value: call.value + 1n }))),
    ],
    'a hidden suffix': [
      'bytes that its arguments do not need',
      (quote) => reviewed(quote, { calldataCaveats: [] }),
    ],
    'bytes behind the suffix': [
      'other bytes',
      (quote) =>
        withCalls(quote, (calls) =>
          replaced(calls, 1, (call) => ({ ...call, data: concat([call.data, '0x00']) })),
        ),
    ],
    'a tracking code': [
      'not publish',
      (quote) => withTransfer(quote, (call) => ({ ...call, data: payTo(thief, 1n) }), 'user-4711'),
    ],
    'the review': ['the review says', (quote) => reviewed(quote, { userActionCallIndices: [0, 1, 2] })],
    'another chain': [
      'more than its calls',
      (quote) => ({ ...quote, intents: quote.intents.map((intent) => ({ ...intent, isMultichain: true })) }),
    ],
  })
})

test('the example client refuses a swap through pools in which a single call lies', async () => {
  const thief = somebody()
  const { router } = exchanging.contracts
  const approvalOf = (spender: Address, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  const approving = (spender: Address, amount: bigint) => (quote: SwapQuote) =>
    withCall(quote, 0, (call) => ({ ...call, data: approvalOf(spender, amount) }))
  const routed =
    (change: (parts: readonly Hex[], deadline: bigint) => readonly Hex[]) => (quote: SwapQuote) =>
      withCall(quote, 1, (call) => {
        const { args } = decodeFunctionData({ abi: routerAbi, data: call.data })
        const [deadline, parts] = args as [bigint, readonly Hex[]]
        const data = encodeFunctionData({
          abi: routerAbi,
          functionName: 'multicall',
          args: [deadline, change(parts, deadline)],
        })
        return { ...call, data }
      })
  const unwrapOf = (minimum: bigint, recipient: Address) =>
    encodeFunctionData({ abi: routerAbi, functionName: 'unwrapWETH9', args: [minimum, recipient] })
  const taken = 2n ** 160n

  await expectRefused(exchanging, {
    'an unlimited approval': ['approvals are not', approving(router!, maxUint256)],
    'an approval of a unit more': ['approvals are not', approving(router!, exchanging.amountIn + 1n)],
    'another spender': ['approves somebody else', approving(thief, exchanging.amountIn)],
    'an approval that stays': [
      'approvals are not',
      (quote) => withCall(quote, 2, (call) => ({ ...call, data: approvalOf(router!, 1n) })),
    ],
    'another router': ['other calls', (quote) => withCall(quote, 1, (call) => ({ ...call, to: thief }))],
    'another recipient': [
      'to somebody else',
      (quote) => routed(([swap]) => [swap!, unwrapOf(BigInt(quote.minimumOutput), thief)])(quote),
    ],
    'a lower minimum': [
      'another minimum',
      (quote) => routed(([swap]) => [swap!, unwrapOf(1n, quote.outputRecipient)])(quote),
    ],
    'a higher minimum, which fails': [
      'another minimum',
      (quote) => routed(([swap]) => [swap!, unwrapOf(taken, quote.outputRecipient)])(quote),
    ],
    'two payments out of the router': ['other calls', routed((parts) => [...parts, unwrapOf(1n, thief)])],
    'a call of the router that nobody knows': ['not found', routed((parts) => [...parts, '0xdeadbeef'])],
    'a hidden suffix in the router’s call': [
      'bytes that its arguments do not need',
      routed(([swap, unwrap]) => [concat([swap!, '0x00']), unwrap!]),
    ],
    'more slippage': ['more slippage', (quote) => ({ ...quote, slippageBps: 301 })],
  })
})

/** Each lie makes the client refuse, with these words, and nothing is ever submitted. */
async function expectRefused(
  asked: SwapOptions,
  lies: Record<string, [string, (quote: SwapQuote) => object]>,
): Promise<void> {
  const submitted = liar.believed()
  for (const [what, [words, lie]] of Object.entries(lies)) {
    liar.tell(lie)
    await expect(swap(client, asked), what).rejects.toThrow(words)
  }
  liar.tell(null)
  expect(liar.believed()).toBe(submitted)
}

const withTransfer = (quote: SwapQuote, change: (call: Call) => Call, code = CODE) =>
  withCall(quote, 1, change, code)

/** The quote with another call, marked and told of as the service does it. */
function withCall(
  quote: SwapQuote,
  place: number,
  change: (canonical: Call) => Call,
  code = CODE,
): SwapQuote {
  const [review] = quote.signingReview.intents
  const caveats: CalldataCaveat[] = []
  const lying = withCalls(quote, (calls) =>
    replaced(calls, place, (call) => {
      const caveat = review?.calldataCaveats.find(({ callIndex }) => callIndex === place)
      const canonical = caveat ? slice(call.data, 0, size(call.data) - caveat.suffixLength) : call.data
      const changed = change({ ...call, data: canonical })
      const { data, caveat: told } = appendSuffix(changed.data, encodeAttribution([code]), place)
      caveats.push(told)
      return { ...changed, data }
    }),
  )
  const others = review?.calldataCaveats.filter(({ callIndex }) => callIndex !== place) ?? []
  const calldataCaveats = [...others, ...caveats] as Review['calldataCaveats']
  return reviewed(lying, {
    calldataCaveats: calldataCaveats.toSorted((one, other) => one.callIndex - other.callIndex),
  })
}

type Review = SwapQuote['signingReview']['intents'][number]

/** The quote with another review of its first intent, and the caveats at another call. */
function reviewed(quote: SwapQuote, change: Partial<Review>, callIndex?: number): SwapQuote {
  const intents = replaced(quote.signingReview.intents, 0, (review) => ({
    ...review,
    ...(callIndex !== undefined && {
      calldataCaveats: review.calldataCaveats.map((caveat) => ({ ...caveat, callIndex })),
    }),
    ...change,
  }))
  return { ...quote, signingReview: { ...quote.signingReview, intents } }
}
