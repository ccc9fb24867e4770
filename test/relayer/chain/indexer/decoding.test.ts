import { encodeAbiParameters, encodeEventTopics, parseAbi, zeroAddress, type Address, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { createAddressFilter } from '../../../../relayer/chain/indexer/address-filter.ts'
import { logsFillBloom } from '../../../../relayer/chain/indexer/read-logs.ts'
import { movesOfFlat, movesOfFrames } from '../../../../relayer/chain/indexer/find-native.ts'
import { findTransfers } from '../../../../relayer/chain/indexer/find-transfers.ts'
import { findPoolEvents } from '../../../../relayer/chain/indexer/find-pool-events.ts'
import type { RawCallFrame, RawFlatTrace, RawLog } from '../../../../relayer/chain/indexer/raw-block.ts'
import { randomAddress } from './chain-calls.ts'

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event Deposit(address indexed dst, uint256 wad)',
  'event LeafInserted(uint256 _index, uint256 _leaf, uint256 _root)',
])
const [own, other, token] = [randomAddress(), randomAddress(), randomAddress()]
const filter = createAddressFilter()
filter.add(own)
const word = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])

function log(address: Address, topics: readonly unknown[], data: Hex, logIndex = 0): RawLog {
  const hash: Hex = `0x${'11'.repeat(32)}`
  return {
    address,
    topics: topics as Hex[],
    data,
    blockHash: hash,
    blockNumber: '0x1',
    transactionHash: hash,
    transactionIndex: '0x0',
    logIndex: `0x${logIndex.toString(16)}`,
  }
}
const transferTopics = (from: Address, to: Address) =>
  encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } })

test('logs that only look like transfers are ignored', () => {
  const [topic, from, to] = transferTopics(other, own)
  const batch = encodeEventTopics({
    abi,
    eventName: 'TransferBatch',
    args: { operator: other, from: other, to: own },
  })
  const uneven = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [[1n, 2n], [1n]])
  const hostile = [
    log(token, [], word(1n)),
    log(token, [topic], word(1n)),
    log(token, [topic, from], word(1n)),
    log(token, [topic, from, to], '0x'),
    log(token, [topic, from, to], '0x01'),
    log(token, batch, '0x'),
    log(token, batch, word(2n ** 255n)),
    log(token, batch, `0x${'ff'.repeat(128)}`),
    log(token, batch, uneven),
  ]
  expect(findTransfers(hostile, filter, null)).toEqual([])
  expect(findTransfers([...hostile, log(token, [topic, from, to], word(5n), 9)], filter, null)).toMatchObject(
    [{ standard: 'erc20', position: 9, from: other, to: own, amount: 5n }],
  )
})

test('a deposit event beside a Transfer of a wrapped coin is not counted twice', () => {
  const deposit = encodeEventTopics({ abi, eventName: 'Deposit', args: { dst: own } })
  const wrapped = token.toLowerCase()
  const plain = log(token, deposit, word(7n), 1)
  expect(findTransfers([plain], filter, wrapped)).toMatchObject([{ from: zeroAddress, to: own, amount: 7n }])
  const minted = log(token, transferTopics(zeroAddress, own), word(7n), 0)
  expect(findTransfers([minted, plain], filter, wrapped)).toHaveLength(1)
  expect(findTransfers([log(randomAddress(), deposit, word(7n))], filter, wrapped)).toEqual([])
})

test('logs that only look like pool events are ignored', () => {
  const [leaf] = encodeEventTopics({ abi, eventName: 'LeafInserted' })
  expect(findPoolEvents([log(token, [leaf], '0x'), log(token, [leaf], word(1n))])).toEqual([])
  const huge = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
    [2n ** 200n, 1n, 1n],
  )
  expect(findPoolEvents([log(token, [leaf], huge)])).toEqual([])
})

test('both trace formats give the same transfers, without those of failed calls', () => {
  const [a, b, c] = [randomAddress(), randomAddress(), randomAddress()]
  const frame = (type: string, from: Address, to: Address, value: Hex, rest: Partial<RawCallFrame> = {}) => ({
    type,
    from,
    to,
    value,
    ...rest,
  })
  const tree = frame('CALL', a, b, '0x5', {
    calls: [
      frame('DELEGATECALL', b, c, '0x5'),
      frame('CALL', b, c, '0x3', { error: 'execution reverted', calls: [frame('CALL', c, a, '0x1')] }),
      frame('CREATE', b, c, '0x2', { calls: [frame('SELFDESTRUCT', c, a, '0x2')] }),
      frame('STATICCALL', b, c, '0x0'),
    ],
  })
  const blockHash: Hex = `0x${'22'.repeat(32)}`
  const call = (
    traceAddress: number[],
    callType: string,
    from: Address,
    to: Address,
    value: Hex,
  ): RawFlatTrace => ({
    type: 'call',
    action: { from, to, value, callType },
    traceAddress,
    transactionPosition: 0,
    blockHash,
  })
  const flat = [
    call([], 'call', a, b, '0x5'),
    call([0], 'delegatecall', b, c, '0x5'),
    { ...call([1], 'call', b, c, '0x3'), error: 'Reverted' },
    call([1, 0], 'call', c, a, '0x1'),
    {
      ...call([2], '', b, c, '0x2'),
      type: 'create',
      action: { from: b, value: '0x2' as Hex },
      result: { address: c },
    },
    {
      ...call([2, 0], '', c, a, '0x2'),
      type: 'suicide',
      action: { address: c, refundAddress: a, balance: '0x2' as Hex },
    },
    call([3], 'staticcall', b, c, '0x0'),
    { ...call([], '', a, b, '0x9'), type: 'reward', transactionPosition: null },
    { type: 'reward', action: { value: '0x9' as Hex }, traceAddress: [], blockHash },
  ]
  const expected = [
    { txIndex: 0, item: 0, from: a, to: b, value: 5n },
    { txIndex: 0, item: 1, from: b, to: c, value: 2n },
    { txIndex: 0, item: 2, from: c, to: a, value: 2n },
  ]
  expect(movesOfFrames([tree])).toEqual(expected)
  expect(movesOfFlat(flat)).toEqual(expected)
})

test('a transfer has the same position whether or not a node traces calls to precompiles', () => {
  const [a, b, c] = [randomAddress(), randomAddress(), randomAddress()]
  const precompile: Address = `0x${'04'.padStart(40, '0')}`
  const paid = { type: 'CALL', from: b, to: c, value: '0x3' as const }
  const asked = { type: 'STATICCALL', from: b, to: precompile }
  const told = { type: 'call', transactionPosition: 0, blockHash: `0x${'22'.repeat(32)}` } as const
  const flat = [
    { ...told, action: { from: a, to: b, value: '0x0' as const, callType: 'call' }, traceAddress: [] },
    { ...told, action: { ...paid, callType: 'call' }, traceAddress: [0] },
  ]
  const moves = [{ txIndex: 0, item: 1, from: b, to: c, value: 3n }]
  expect(movesOfFrames([{ type: 'CALL', from: a, to: b, value: '0x0', calls: [asked, paid] }])).toEqual(moves)
  expect(movesOfFlat(flat)).toEqual(moves)
})

test('a failed transaction moves nothing in either trace format', () => {
  const [a, b] = [randomAddress(), randomAddress()]
  const inner = { type: 'CALL', from: b, to: a, value: '0x1' as const }
  expect(
    movesOfFrames([{ type: 'CALL', from: a, to: b, value: '0x5', error: 'out of gas', calls: [inner] }]),
  ).toEqual([])
  const common = { type: 'call', transactionPosition: 0, blockHash: `0x${'22'.repeat(32)}` } as const
  const outer = { from: a, to: b, value: '0x5' as Hex, callType: 'call' }
  expect(
    movesOfFlat([
      { ...common, action: outer, traceAddress: [], error: 'Out of gas' },
      { ...common, action: { ...inner, callType: 'call' }, traceAddress: [0] },
    ]),
  ).toEqual([])
})

test("the block's bloom filter reveals missing logs", async () => {
  const logs = [
    log(token, transferTopics(other, own), word(1n)),
    log(other, transferTopics(own, other), '0x'),
  ]
  const bloom = Buffer.alloc(256)
  const { keccak256 } = await import('viem')
  for (const value of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = Buffer.from(keccak256(value).slice(2), 'hex')
    for (const at of [0, 2, 4]) {
      const bit = hash.readUInt16BE(at) % 2_048
      const byte = 255 - Math.floor(bit / 8)
      bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit % 8))
    }
  }
  const hex: Hex = `0x${bloom.toString('hex')}`
  expect(await logsFillBloom(hex, logs)).toBe(true)
  expect(await logsFillBloom(hex, logs.slice(1))).toBe(false)
  expect(await logsFillBloom(hex, [])).toBe(false)
  expect(await logsFillBloom('0x', logs)).toBe(false)
})
