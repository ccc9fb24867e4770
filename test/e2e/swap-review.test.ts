import { concat, encodeFunctionData, erc20Abi, maxUint256, parseEther, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeCalls } from '../../relayer/transact/intents/encode-calls.ts'
import type { Call } from '../../relayer/transact/intents/intent.ts'
import {
  appendSuffix,
  encodeAttribution,
  type CalldataCaveat,
} from '../../relayer/transact/signing/calldata-caveats.ts'
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
const CODE = 'relay'

beforeAll(async () => {
  service = await startSendingService({ transact: { attribution: { codes: [CODE], kinds: ['swap'] } } })
  payer = await openPayer(service, 4)
  liar = await startLyingGateway(service.url)
  client = await openNewClient({ url: liar.url })
  const wrapped = service.parts.chains[0]!.wrappedNative!
  const swapped = { chainId: payer.chain.chainId, amountIn: parseEther('0.5') }
  const contracts = { wrapped, router: null }
  wrapping = { ...swapped, tokenIn: zeroAddress, tokenOut: wrapped, contracts }
  unwrapping = { ...swapped, tokenIn: wrapped, tokenOut: zeroAddress, amountIn: parseEther('0.1'), contracts }
  await payer.payNative((await client.receive()).address, parseEther('2'))
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

test('the example client refuses a swap in which a single member lies', async () => {
  const thief = somebody()
  const lies: Record<string, [string, (quote: SwapQuote) => object]> = {
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
  }
  const submitted = liar.believed()
  for (const [what, [words, lie]] of Object.entries(lies)) {
    let quoteId = ''
    liar.tell((quote: SwapQuote) => {
      ;({ quoteId } = quote)
      return lie(quote)
    })
    await expect(swap(client, wrapping), what).rejects.toThrow(words)
    await client.ask('POST', `/v1/accounts/${client.accountId}/unlock`, { quoteId })
  }
  expect(liar.believed()).toBe(submitted)
})

/** The quote with another second call, marked and told of as the service does it. */
function withTransfer(quote: SwapQuote, change: (call: Call) => Call, code = CODE): SwapQuote {
  const suffix = encodeAttribution([code])
  const caveats: CalldataCaveat[] = []
  const lying = withCalls(quote, (calls) =>
    replaced(calls, 1, (call) => {
      const changed = change(call)
      const { data, caveat } = appendSuffix(changed.data, suffix, 1)
      caveats.push(caveat)
      return { ...changed, data }
    }),
  )
  return reviewed(lying, { calldataCaveats: caveats })
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
