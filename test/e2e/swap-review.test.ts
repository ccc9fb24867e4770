import {
  concat,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseEther,
  parseUnits,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../relayer/transact/intents/intent.ts'
import { routerAbi } from '../../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import { replaced, reviewed, withCall, withCalls } from '../harness/change-quote.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { expectRefused } from '../harness/expect-refused.ts'
import { startLyingGateway, type LyingGateway } from '../harness/start-lying-gateway.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { knownOf } from './examples/demo/known-of.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import type { SettledSwap } from '../../schema/client/quotes/settle-swap.ts'
import { swap, type SwapQuote } from '../../schema/client/quotes/swap.ts'

let service: TestService
let payer: Payer
let liar: LyingGateway
let client: Client
let wrapping: SettledSwap
let unwrapping: SettledSwap
let exchanging: SettledSwap
const CODE = 'relay'

beforeAll(async () => {
  service = await startSendingService({ transact: { attribution: { codes: [CODE], kinds: ['swap'] } } })
  payer = await openPayer(service, 4)
  liar = await startLyingGateway(service.url)
  client = await openNewClient({ url: liar.url, chains: [knownOf(payer.chain)] })
  const wrapped = service.parts.chains[0]!.wrappedNative!
  const limits = { leastOutput: 1n, maxFee: parseEther('0.1') }
  const swapped = { chainId: payer.chain.chainId, amountIn: parseEther('0.5'), ...limits }
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
  await expectRefused({ liar, client }, wrapping, {
    minimum: ['minimum is lower', (quote) => ({ ...quote, minimumOutput: '1' })],
    output: ['another minimum', (quote) => ({ ...quote, minimumOutput: '2', expectedOutput: '2' })],
    slippage: ['more slippage', (quote) => ({ ...quote, slippageBps: 50 })],
    token: ['another token', (quote) => ({ ...quote, outputToken: thief })],
    recipient: ['no address of the account', (quote) => ({ ...quote, outputRecipient: thief })],
    // Only wraps may live for a day.
    routing: ['good for longer', (quote) => ({ ...quote, routing: 'MAGIC' })],
    fees: ['cost something else', (quote) => ({ ...quote, amountIn: String(wrapping.amountIn) })],
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
      'cost something else',
      (quote) =>
        withCalls(quote, (calls) => replaced(calls, 2, (call) => ({ ...call, value: call.value + 1n }))),
    ],
    'a hidden suffix': [
      'bytes that its arguments do not need',
      (quote) => reviewed(quote, { calldataCaveats: [] }),
    ],
    'bytes behind the suffix': [
      'other hashes',
      (quote) =>
        withCalls(quote, (calls) =>
          replaced(calls, 1, (call) => ({ ...call, data: concat([call.data, '0x00']) })),
        ),
    ],
    'a tracking code': [
      'not publish',
      (quote) => withTransfer(quote, (call) => ({ ...call, data: payTo(thief, 1n) }), 'user-4711'),
    ],
    'the review': [
      'the review lists other calls',
      (quote) => reviewed(quote, { userActionCallIndices: [0, 1, 2] }),
    ],
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
    withCall(quote, 0, (call) => ({ ...call, data: approvalOf(spender, amount) }), CODE)
  const routed =
    (change: (parts: readonly Hex[], deadline: bigint) => readonly Hex[]) => (quote: SwapQuote) =>
      withCall(
        quote,
        1,
        (call) => {
          const { args } = decodeFunctionData({ abi: routerAbi, data: call.data })
          const [deadline, parts] = args as [bigint, readonly Hex[]]
          const data = encodeFunctionData({
            abi: routerAbi,
            functionName: 'multicall',
            args: [deadline, change(parts, deadline)],
          })
          return { ...call, data }
        },
        CODE,
      )
  const unwrapOf = (minimum: bigint, recipient: Address) =>
    encodeFunctionData({ abi: routerAbi, functionName: 'unwrapWETH9', args: [minimum, recipient] })
  const taken = 2n ** 160n

  await expectRefused({ liar, client }, exchanging, {
    'an unlimited approval': ['approvals are not', approving(router!, maxUint256)],
    'an approval of a unit more': ['approvals are not', approving(router!, exchanging.amountIn + 1n)],
    'another spender': ['approves another spender', approving(thief, exchanging.amountIn)],
    'an approval that stays': [
      'approvals are not',
      (quote) => withCall(quote, 2, (call) => ({ ...call, data: approvalOf(router!, 1n) }), CODE),
    ],
    'another router': [
      'other calls',
      (quote) => withCall(quote, 1, (call) => ({ ...call, to: thief }), CODE),
    ],
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

const withTransfer = (quote: SwapQuote, change: (call: Call) => Call, code = CODE) =>
  withCall(quote, 1, change, code)
