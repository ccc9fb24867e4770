import {
  encodeAbiParameters,
  encodeEventTopics,
  numberToHex,
  parseAbi,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { expect, test } from 'vitest'
import { createAddressFilter } from '../../../../relayer/chain/indexer/address-filter.ts'
import { findIntents } from '../../../../relayer/chain/indexer/find-intents.ts'
import { findPoolEvents } from '../../../../relayer/chain/indexer/find-pool-events.ts'
import type { RawLog } from '../../../../relayer/chain/indexer/raw-block.ts'
import { loadContracts } from '../../../devnet/build/load-contracts.ts'
import { randomAddress } from './chain-calls.ts'

const [contract, one, two, three] = [randomAddress(), randomAddress(), randomAddress(), randomAddress()]

/** A log as the contract's ABI defines it; the arguments are in the order of the event. */
function emit(abi: Abi, eventName: string, args: readonly unknown[]): RawLog {
  const event = abi.find((item) => item.type === 'event' && item.name === eventName)
  if (event?.type !== 'event') throw new Error(`there is no event ${eventName}`)
  const named = Object.fromEntries(event.inputs.map(({ name }, index) => [name, args[index]]))
  const plain = event.inputs.filter(({ indexed }) => !indexed)
  const values = plain.map(({ name }) => named[name ?? ''])
  return {
    address: contract,
    topics: encodeEventTopics({ abi, eventName, args: named }) as Hex[],
    data: encodeAbiParameters(plain, values),
    blockHash: `0x${'11'.repeat(32)}`,
    blockNumber: '0x1',
    transactionHash: `0x${'22'.repeat(32)}`,
    transactionIndex: '0x2',
    logIndex: '0x3',
  }
}

test('every event of the contracts is decoded into its columns', async () => {
  const { Entrypoint, NativePool } = await loadContracts()
  const read = (abi: Abi, name: string, ...args: unknown[]) => findPoolEvents([emit(abi, name, args)])[0]
  expect(read(NativePool.abi, 'Deposited', one, 1n, 2n, 3n, 4n)).toMatchObject({
    kind: 'deposit',
    contract,
    logIndex: 3,
    account: one,
    commitment: 1n,
    label: 2n,
    value: 3n,
    precommitment: 4n,
  })
  expect(read(NativePool.abi, 'Withdrawn', one, 5n, 6n, 7n)).toMatchObject({
    kind: 'withdrawal',
    account: one,
    value: 5n,
    nullifierHash: 6n,
    commitment: 7n,
  })
  expect(read(NativePool.abi, 'Ragequit', one, 1n, 2n, 3n)).toMatchObject({
    kind: 'ragequit',
    account: one,
    commitment: 1n,
    label: 2n,
    value: 3n,
  })
  expect(read(NativePool.abi, 'LeafInserted', 8n, 9n, 10n)).toMatchObject({
    kind: 'leaf',
    leafIndex: 8n,
    commitment: 9n,
    root: 10n,
  })
  expect(read(Entrypoint.abi, 'Deposited', one, two, 1n, 3n)).toMatchObject({
    kind: 'entrypoint-deposit',
    account: one,
    pool: two,
    commitment: 1n,
    value: 3n,
  })
  expect(read(Entrypoint.abi, 'WithdrawalRelayed', one, two, three, 11n, 12n)).toMatchObject({
    kind: 'relay',
    relayer: one,
    account: null,
    asset: three,
    value: 11n,
    fee: 12n,
  })
  expect(read(Entrypoint.abi, 'RootUpdated', 13n, 'cid', 14n)).toMatchObject({
    kind: 'asp-root',
    root: 13n,
    ipfsCid: 'cid',
  })
  for (const [name, kind] of [
    ['PoolRegistered', 'pool-registered'],
    ['PoolRemoved', 'pool-removed'],
  ] as const)
    expect(read(Entrypoint.abi, name, one, two, 15n)).toMatchObject({
      kind,
      pool: one,
      asset: two,
      scope: 15n,
    })
})

test('IntentExecuted counts when the orchestrator emits it for a watched address', () => {
  const abi = parseAbi([
    'event IntentExecuted(address indexed eoa, uint256 indexed nonce, bool incremented, bytes4 err)',
  ])
  const filter = createAddressFilter()
  filter.add(one)
  const logs = [
    emit(abi, 'IntentExecuted', [one, 7n, true, '0x00000000']),
    emit(abi, 'IntentExecuted', [one, 8n, false, '0xdeadbeef']),
    emit(abi, 'IntentExecuted', [two, 9n, true, '0x00000000']),
  ]
  const seen: string[] = []
  const found = (orchestrators: readonly Address[], see: (hex: string) => void = () => {}) =>
    findIntents(logs, { orchestrators, isDirect: () => true }, filter, see)
  expect(found([two, contract], (hex) => seen.push(hex))).toMatchObject([
    { eoa: one, intentNonce: 7n, incremented: true, err: '0x00000000', orchestrator: contract, txIndex: 2 },
    { eoa: one, intentNonce: 8n, incremented: false, err: '0xdeadbeef' },
  ])
  expect(seen).toHaveLength(3)
  expect(found([two])).toEqual([])
  expect(found([])).toEqual([])
})

test('the logs of an intent lie between two events of the orchestrator, which it must have been called for directly', () => {
  const abi = parseAbi([
    'event IntentExecuted(address indexed eoa, uint256 indexed nonce, bool incremented, bytes4 err)',
  ])
  const filter = createAddressFilter()
  for (const address of [one, three]) filter.add(address)
  const executed = (eoa: Address, logIndex: number, transactionIndex: number): RawLog => ({
    ...emit(abi, 'IntentExecuted', [eoa, 1n, true, '0x00000000']),
    logIndex: numberToHex(logIndex),
    transactionIndex: numberToHex(transactionIndex),
  })
  // An intent of an unwatched account also ends the range of the intent before it.
  const logs = [executed(one, 4, 1), executed(two, 9, 1), executed(three, 12, 1), executed(one, 20, 2)]
  const found = findIntents(
    logs,
    { orchestrators: [contract], isDirect: (index) => index === 1 },
    filter,
    () => {},
  )
  expect(found.map(({ firstLog, logIndex }) => [firstLog, logIndex])).toEqual([
    [0, 4],
    [10, 12],
    [null, 20],
  ])
})
