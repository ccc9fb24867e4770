import {
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  getAddress,
  keccak256,
  pad,
  toEventHash,
  type Address,
  type Hex,
} from 'viem'
import { expect, test } from 'vitest'
import { handlerEvents, spokePoolEvents } from '../../../../relayer/chain/contracts/across.ts'
import { createAddressFilter } from '../../../../relayer/chain/indexer/address-filter.ts'
import { findBridgeEvents } from '../../../../relayer/chain/indexer/find-bridge-events.ts'
import type { RawLog } from '../../../../relayer/chain/indexer/raw-block.ts'
import { randomAddress } from './chain-calls.ts'

const [own, stranger, token, pool, handler] = Array.from({ length: 5 }, randomAddress) as [
  Address,
  ...Address[],
]
const spokePool = pool as Address
const contracts = { chainId: 2, spokePool, multicallHandler: handler as Address }
const filter = createAddressFilter()
filter.add(own)
const word = (address: Address | undefined) => pad(address ?? '0x', { size: 32 }).toLowerCase() as Hex
const TX: Hex = `0x${'11'.repeat(32)}`

function log(address: Address | undefined, topics: readonly unknown[], data: Hex): RawLog {
  const at = { blockHash: TX, blockNumber: '0x1', transactionHash: TX, transactionIndex: '0x0' } as const
  return { ...at, address: address ?? '0x', topics: topics as Hex[], data, logIndex: '0x0' }
}

/** A log of an event of the SpokePool. */
function said(
  eventName: (typeof spokePoolEvents)[number]['name'],
  args: Record<string, unknown>,
  emitter = spokePool,
): RawLog {
  const abi = spokePoolEvents.filter(({ name }) => name === eventName)
  const inputs = abi[0]?.inputs.filter((input) => !('indexed' in input && input.indexed)) ?? []
  const data = encodeAbiParameters(
    inputs,
    inputs.map(({ name }) => args[name as string]),
  )
  return log(emitter, encodeEventTopics({ abi, eventName, args }), data)
}

const message: Hex = '0x1234'
const relay = {
  inputToken: word(token),
  outputToken: word(stranger),
  inputAmount: 100n,
  outputAmount: 99n,
  depositId: 7n,
  fillDeadline: 2_000,
  exclusivityDeadline: 0,
  exclusiveRelayer: word('0x'),
  depositor: word(own),
  recipient: word(handler),
}
const deposit = { ...relay, destinationChainId: 2n, quoteTimestamp: 1_000, message }
const fill = {
  ...relay,
  originChainId: 1n,
  repaymentChainId: 2n,
  relayer: word(stranger),
  messageHash: keccak256(message),
  relayExecutionInfo: {
    updatedRecipient: word(handler),
    updatedMessageHash: keccak256(message),
    updatedOutputAmount: 98n,
    fillType: 2,
  },
}
const find = (logs: readonly RawLog[], where = contracts) => findBridgeEvents(logs, [where], filter, () => {})
const keyOf = (one: RawLog, chainId = 2) => find([one], { ...contracts, chainId })[0]?.relayKey

test('the events are those that the deployed contracts of Across emit', () => {
  // Topics as the design lists them, computed from the published package.
  expect([...spokePoolEvents, ...handlerEvents].map(toEventHash)).toEqual([
    '0x32ed1a409ef04c7b0227189c3a103dc5ac10e775a15b785dcc510201f7c25ad3',
    '0x44b559f101f8fbcc8a0ea43fa91a05a729a5ea6e14a7c75aa750374690137208',
    '0xf4ad92585b1bc117fbdd644990adf0827bc4c95baeae8a23322af807b6d0020e',
    '0x6c172ea51018fb2eb2118f3f8a507c4df71eb519b8c0052834dc3c920182fef4',
    '0x5296f22c5d0413b66d0bf45c479c4e2ca5b278634bdbd028b48e49502105f966',
  ])
})

test('a deposit and its fill have one key, and a fill that differs in any member has another', () => {
  const key = keyOf(said('FundsDeposited', deposit), 1)
  expect(key).toBeDefined()
  expect(keyOf(said('FilledRelay', fill))).toBe(key)
  const others = [
    { outputAmount: 1n },
    { inputAmount: 101n },
    { depositId: 8n },
    { fillDeadline: 2_001 },
    { exclusivityDeadline: 1 },
    { exclusiveRelayer: word(stranger) },
    { recipient: word(stranger) },
    { inputToken: word(stranger) },
    { outputToken: word(token) },
    { originChainId: 3n },
    { messageHash: keccak256('0x') },
  ]
  const keys = others.map((other) => keyOf(said('FilledRelay', { ...fill, ...other })))
  expect(new Set([key, ...keys, keyOf(said('FilledRelay', fill), 4)]).size).toBe(others.length + 2)
})

test('the indexer stores nothing of strangers, of other contracts, and of unreadable logs', () => {
  const hostile = [
    said('FilledRelay', { ...fill, depositor: word(stranger) }),
    said('FundsDeposited', { ...deposit, depositor: word(stranger) }),
    said('FilledRelay', fill, stranger),
    said('ClaimedRelayerRefund', {
      l2TokenAddress: word(token),
      refundAddress: word(own),
      amount: 1n,
      caller: stranger,
    }),
    // It ends like an address of ours, but belongs to another kind of chain.
    said('FilledRelay', { ...fill, depositor: `0x${'01'.repeat(12)}${own.slice(2)}` as Hex }),
    { ...said('FilledRelay', fill), data: '0x' as Hex },
    { ...said('FundsDeposited', deposit), topics: said('FundsDeposited', deposit).topics.slice(0, 1) },
    log(spokePool, [], '0x'),
  ]
  expect(find(hostile)).toEqual([])
  expect(findBridgeEvents([said('FilledRelay', fill)], [], filter, () => {})).toEqual([])
})

test('calls that failed belong to the last fill before them in their transaction', () => {
  const failed = log(
    handler,
    encodeEventTopics({ abi: handlerEvents, args: { fallbackRecipient: own } }),
    encodeAbiParameters(
      [{ type: 'tuple[]', components: [{ type: 'address' }, { type: 'bytes' }, { type: 'uint256' }] }],
      [[]],
    ),
  )
  const mine = said('FilledRelay', fill)
  const other = said('FilledRelay', { ...fill, depositor: word(stranger) })
  const fallback = (logs: readonly RawLog[]) => find(logs).map((event) => event.fallbackRecipient)
  expect(fallback([mine, failed])).toEqual([getAddress(own)])
  expect(fallback([mine, other, failed])).toEqual([null])
  expect(fallback([mine, { ...failed, address: stranger as Address }])).toEqual([null])
  expect(fallback([mine, { ...failed, transactionHash: keccak256('0x') }])).toEqual([null])
  const moved = (from: Address | undefined, to: Address | undefined, what = stranger) =>
    log(
      what,
      encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: from ?? own, to: to ?? own } }),
      encodeAbiParameters([{ type: 'uint256' }], [98n]),
    )
  const comes = moved(token, handler)
  expect(fallback([mine, comes, failed])).toEqual([getAddress(own)])
  // The filler makes the handler say so after the calls have succeeded.
  expect(fallback([mine, comes, moved(handler, own), failed])).toEqual([null])
  expect(fallback([mine, comes, moved(pool, own, token), failed])).toEqual([null])
})

test('a refund counts as deferred only for unpaid addresses', () => {
  const refund = said('ExecutedRelayerRefundRoot', {
    amountToReturn: 0n,
    chainId: 2n,
    refundAmounts: [5n, 6n, 0n],
    rootBundleId: 1,
    leafId: 0,
    l2TokenAddress: token,
    refundAddresses: [stranger as Address, own, own],
    deferredRefunds: true,
    caller: stranger,
  })
  const paid = log(
    token,
    encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: spokePool, to: own } }),
    encodeAbiParameters([{ type: 'uint256' }], [6n]),
  )
  const row = { kind: 'refund', address: getAddress(own), item: 1, token, amount: 6n }
  expect(find([refund])).toMatchObject([{ ...row, isDeferred: true }])
  expect(find([paid, refund])).toMatchObject([{ ...row, isDeferred: false }])
  expect(find([{ ...paid, address: stranger as Address }, refund])).toMatchObject([{ isDeferred: true }])
})
