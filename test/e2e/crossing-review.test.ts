import { encodeFunctionData, erc20Abi, maxUint256, pad, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../relayer/transact/intents/intent.ts'
import {
  depositOf,
  messageOf,
  readMessage,
  withDeposit as withMarkedDeposit,
  withLeg,
  type DepositChanges,
  type Leg,
} from '../harness/change-deposit.ts'
import { replaced, reviewed, withCall, withCalls } from '../harness/change-quote.ts'
import { waitUntilIndexed } from '../harness/chain-actors.ts'
import { expectRefused } from '../harness/expect-refused.ts'
import { startLyingGateway, type LyingGateway } from '../harness/start-lying-gateway.ts'
import { balanceOf } from '../relayer/transact/kinds/swap/cross-chain/bridge-once.ts'
import { fill } from '../relayer/transact/kinds/swap/cross-chain/fill-deposits.ts'
import {
  dollars,
  startBridgeWorld,
  type BridgeWorld,
} from '../relayer/transact/kinds/swap/cross-chain/start-bridge-world.ts'
import { knownOf } from './examples/demo/known-of.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import { followCrossing, swap, type SwapOptions, type SwapQuote } from '../../schema/client/quotes/swap.ts'

let world: BridgeWorld
let liar: LyingGateway
let client: Client
/** A dollar that is bridged directly, and a euro that is exchanged on both chains. */
let carrying: SwapOptions
let chaining: SwapOptions
const CODE = 'relay'

beforeAll(async () => {
  world = await startBridgeWorld({
    attribution: { codes: [CODE], acrossIntegratorId: '0x00ab', kinds: ['swap'] },
  })
  const { service, origin, destination } = world
  liar = await startLyingGateway(service.url)
  client = await openNewClient({ url: liar.url, chains: [knownOf(origin.payer.chain)] })
  const contractsOf = ({ payer, wrapped }: typeof origin) => ({ wrapped, router: payer.chain.uniswap.router })
  const pairOf = (input: Address, output: Address, decimals: number) => ({
    input: { token: input, decimals },
    output: { token: output, decimals },
  })
  const asked = {
    chainId: origin.chainId,
    leastOutput: 1n,
    maxFee: parseEther('2'),
    contracts: contractsOf(origin),
    crossing: {
      chainId: destination.chainId,
      spokePool: origin.across.spokePool,
      multicallHandler: destination.across.multicallHandler,
      contracts: contractsOf(destination),
      carried: [
        pairOf(origin.wrapped, destination.wrapped, 18),
        pairOf(origin.dollar, destination.dollar, 6),
      ],
    },
  }
  carrying = { ...asked, tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn: dollars('100') }
  chaining = { ...asked, tokenIn: origin.euro, tokenOut: destination.euro, amountIn: parseEther('50') }
  await origin.payer.payToken(origin.dollar, (await client.receive()).address, dollars('1000'))
  await origin.payer.payToken(origin.euro, (await client.receive()).address, parseEther('1000'))
  await waitUntilIndexed(service, origin.payer)
})
afterAll(async () => {
  await liar?.stop()
  await world?.[Symbol.asyncDispose]()
})

const withDeposit = (quote: SwapQuote, place: number, changes: DepositChanges) =>
  withMarkedDeposit(quote, place, changes, CODE)

const later = (seconds: number) => String(Math.floor(Date.now() / 1_000) + seconds)
const somebody = (): Address => privateKeyToAddress(generatePrivateKey())

test('the client signs honest quotes to another chain, and gets the amounts that it read from them', async () => {
  const { destination, origin, service } = world
  for (const [asked, routing, marks] of [
    [carrying, 'BRIDGE', ['erc8021', 'across-integrator', 'erc8021']],
    [chaining, 'CHAINED', [...Array(4).fill('erc8021'), 'across-integrator', 'erc8021']],
  ] as const) {
    const { quote } = await swap(client, asked)
    expect(quote.routing).toBe(routing)
    const caveats = quote.signingReview.intents[0]!.calldataCaveats
    expect(caveats.slice(0, marks.length).map(({ kind }) => kind)).toEqual(marks)
    await fill(destination.payer, destination.across, await world.findDeposit())
    await followCrossing(client, quote)
    const got = await balanceOf(destination.payer, asked.tokenOut, quote.outputRecipient)
    expect(got).toBeGreaterThanOrEqual(BigInt(quote.minimumOutput))
    await waitUntilIndexed(service, origin.payer)
  }
})

test('the example client refuses a deposit in which a single member lies', async () => {
  const thief = somebody()
  const depositing = (changes: DepositChanges) => (quote: SwapQuote) => withDeposit(quote, 1, changes)
  const late = (seconds: number) => (quote: SwapQuote) => {
    const fillDeadline = Math.floor(Date.now() / 1_000) + seconds
    const told = { ...quote, fillDeadline: new Date(fillDeadline * 1_000).toISOString() }
    return withDeposit(told, 1, { 9: fillDeadline })
  }
  const approvalOf = (spender: Address, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  const { spokePool } = carrying.crossing!

  await expectRefused({ liar, client }, carrying, {
    'another recipient': ['to somebody else', depositing({ 1: pad(thief) })],
    'the handler without a message': [
      'to somebody else',
      depositing({ 1: pad(world.destination.across.multicallHandler) }),
    ],
    'another chain': ['on another chain', depositing({ 6: 1n })],
    'a chain id that only begins alike': [
      'on another chain',
      depositing({ 6: BigInt(world.destination.chainId) + 2n ** 64n }),
    ],
    'a lower output': [
      'another minimum',
      (quote) => depositing({ 5: BigInt(quote.minimumOutput) - 1n })(quote),
    ],
    'a minimum that the deposit does not keep': [
      'minimum is lower',
      (quote) => ({ ...quote, minimumOutput: String(BigInt(quote.minimumOutput) - 1n) }),
    ],
    'a fee of a third': [
      'keep too much',
      (quote) =>
        depositing({ 5: dollars('66') })({ ...quote, expectedOutput: '66000000', minimumOutput: '66000000' }),
    ],
    'a refund to somebody else': ['refund would go', depositing({ 0: pad(thief) })],
    'a refund that the quote gives to somebody else': [
      'refund would go',
      (quote) => ({ ...quote, recoveryRecipient: thief }),
    ],
    'an exclusive relayer': ['deposit for itself', depositing({ 7: pad(thief) })],
    'a time of exclusivity': ['deposit for itself', depositing({ 10: 600 })],
    'another token out': ['other tokens', depositing({ 3: pad(world.destination.euro) })],
    'another token in': ['other tokens', depositing({ 2: pad(world.origin.wrapped) })],
    'a deadline that is past': ['past or too far', late(-1)],
    'a deadline of a day': ['past or too far', late(86_400)],
    'a deadline that the quote does not name': [
      'another deadline',
      (quote) => ({ ...quote, fillDeadline: new Date(Date.now() + 900_000).toISOString() }),
    ],
    'an intent that outlives the deadline': [
      'none that can be kept',
      (quote) => {
        const soon = late(1_200)(quote)
        return { ...soon, intents: soon.intents.map((intent) => ({ ...intent, expiry: later(1_800) })) }
      },
    ],
    'an intent that lives for hours': [
      'good for longer',
      (quote) => ({
        ...quote,
        intents: quote.intents.map((intent) => ({ ...intent, expiry: later(28_800) })),
      }),
    ],
    'a message': [
      'another contract',
      depositing({ 11: messageOf([{ to: thief, value: 0n, data: '0x' }], thief) }),
    ],
    'coins beside the token': ['pays another amount', depositing({ value: 1n })],
    'less than was asked for': ['approvals are not', depositing({ 4: dollars('99') })],
    'no address of an EVM chain': ['no address', depositing({ 1: pad(thief, { dir: 'right' }) })],
    'an approval of everything': [
      'approvals are not',
      (quote) => withCall(quote, 0, (call) => ({ ...call, data: approvalOf(spokePool, maxUint256) }), CODE),
    ],
    'another spender': [
      'approvals are not',
      (quote) => withCall(quote, 0, (call) => ({ ...call, data: approvalOf(thief, dollars('100')) }), CODE),
    ],
    'an approval that stays': [
      'approvals are not',
      (quote) => withCall(quote, 2, (call) => ({ ...call, data: approvalOf(spokePool, 1n) }), CODE),
    ],
    'another contract': [
      'deposits nothing',
      (quote) => withCall(quote, 1, (call) => ({ ...call, to: thief }), CODE),
    ],
    'an approval before the deposit': [
      'other calls',
      (quote) => {
        const extra = withCalls(quote, (calls) => [
          { to: carrying.tokenIn, value: 0n, data: approvalOf(thief, maxUint256) },
          ...calls,
        ])
        const [review] = extra.signingReview.intents
        const calldataCaveats = review!.calldataCaveats.map((caveat) => ({
          ...caveat,
          callIndex: caveat.callIndex + 1,
        }))
        return reviewed(extra, { userActionCallIndices: [0, 1, 2, 3], calldataCaveats })
      },
    ],
    'an extra call': [
      'calls something else',
      (quote) => {
        const extra = withCalls(quote, (calls) => [
          ...calls.slice(0, 3),
          { to: thief, value: 1n, data: '0x' },
          calls[3]!,
        ])
        return reviewed(extra, { userActionCallIndices: [0, 1, 2, 3] })
      },
    ],
    'a second deposit': [
      'approvals are not',
      (quote) =>
        reviewed(
          withCalls(quote, (calls) => [...calls.slice(0, 3), calls[1]!, calls[3]!]),
          { userActionCallIndices: [0, 1, 2, 3] },
        ),
    ],
    'no deposit at all': [
      'deposits nothing',
      (quote) =>
        reviewed(
          withCalls(quote, (calls) => calls.slice(3)),
          { userActionCallIndices: [], calldataCaveats: [] },
        ),
    ],
    'a hidden suffix': [
      'bytes that its arguments do not need',
      (quote) => reviewed(quote, { calldataCaveats: [] }),
    ],
    'a way that it does not take': ['another way', (quote) => ({ ...quote, routing: 'CHAINED' })],
    'a way on one chain': ['another way', (quote) => ({ ...quote, routing: 'CLASSIC' })],
    'two addresses that pay': [
      'two orders to one address',
      (quote) => ({
        ...quote,
        intents: [...quote.intents, ...quote.intents],
        signingReview: { intents: [...quote.signingReview.intents, ...quote.signingReview.intents] },
      }),
    ],
  })
})

test('the example client refuses a message that uses the bridged funds otherwise', async () => {
  const thief = somebody()
  const { multicallHandler } = world.destination.across
  const place = 4
  /** The quote with another message: other calls, or another fallback. */
  const saying =
    (change: (calls: readonly Call[]) => readonly Call[], fallback?: Address) => (quote: SwapQuote) => {
      const { calls, fallbackRecipient } = readMessage(depositOf(quote, place)[11] as Hex)
      const changed = messageOf(change(calls), fallback ?? fallbackRecipient)
      return withDeposit(quote, place, { 11: changed })
    }
  const routed = (change: (leg: Leg) => object, until?: bigint) =>
    saying((calls) => replaced(calls, 1, (call) => withLeg(call, change, until)))

  await expectRefused({ liar, client }, chaining, {
    'another fallback': ['somebody else would get what arrives', saying((calls) => calls, thief)],
    'another handler': ['another contract', (quote) => withDeposit(quote, place, { 1: pad(thief) })],
    'the account’s address in place of the handler': [
      'another contract',
      (quote) => withDeposit(quote, place, { 1: pad(quote.outputRecipient) }),
    ],
    'no message': ['other tokens', (quote) => withDeposit(quote, place, { 11: '0x' })],
    'a message that only passes on': ['other tokens', saying(() => [])],
    'another recipient of the exchange': ['somebody else', routed(() => ({ recipient: thief }))],
    'a recipient and a fallback that are somebody else': [
      'to somebody else',
      (quote) => saying((calls) => calls, thief)(routed(() => ({ recipient: thief }))(quote)),
    ],
    'a lower minimum': [
      'another minimum',
      routed(({ amountOutMinimum }) => ({ amountOutMinimum: amountOutMinimum - 1n })),
    ],
    'a part of what arrives': ['approvals are not', routed(({ amountIn }) => ({ amountIn: amountIn - 1n }))],
    'an exchange that has expired': ['would fail before', routed(() => ({}), 1n)],
    'an extra call': [
      'calls something else',
      saying((calls) => [...calls, { to: thief, value: 1n, data: '0x' }]),
    ],
    'a call of the handler itself': [
      'calls something else',
      saying((calls) => [{ to: multicallHandler, value: 0n, data: '0xdeadbeef' }, ...calls]),
    ],
    'bytes behind the message': [
      'message has bytes',
      (quote) => withDeposit(quote, place, { 11: `${depositOf(quote, place)[11] as Hex}00` }),
    ],
    'an exchange before the bridge that pays somebody else': [
      'to somebody else',
      (quote) => withCall(quote, 1, (call) => withLeg(call, () => ({ recipient: thief })), CODE),
    ],
    'less deposited than the exchange before gives': [
      'approvals are not',
      (quote) => withDeposit(quote, place, { 4: (depositOf(quote, place)[4] as bigint) - 1n }),
    ],
    'more slippage than the service may choose': [
      'more slippage',
      (quote) => ({ ...quote, slippageBps: 51 }),
    ],
  })
})
