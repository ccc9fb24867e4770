import {
  encodeFunctionData,
  keccak256,
  numberToHex,
  pad,
  parseAbi,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { StateOverrides } from '../../../../proving/simulate-job.ts'
import { methodMissing, startNodeDoor, type Doorkeeper } from '../start-node-door.ts'
import { callOf, ONE, startEvmChain, type Call, type Contract, type EvmChain } from './start-evm-chain.ts'

let chain: EvmChain
let machine: Contract
let token: Contract
beforeAll(async () => {
  chain = await startEvmChain()
  machine = await chain.deploy('Machine', [], ONE)
  token = await chain.deploy('OddToken', [0])
})
afterAll(() => chain.close())

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
async function openDoor(keeper?: Doorkeeper) {
  const door = await startNodeDoor(chain.rpcUrl, keeper)
  stops.push(door.stop)
  return door
}

const NOBODY: Address = '0x00000000000000000000000000000000000a11ce'
const transfer = (to: Address = NOBODY) => callOf(token, 'transfer', [to, 5n])

describe('a simulation with overrides agrees with the node:', () => {
  const erc20 = parseAbi(['function balanceOf(address) view returns (uint256)'])
  const balanceSlot = (owner: Address): Hex => keccak256(`0x${pad(owner).slice(2)}${pad('0x01').slice(2)}`)
  const askBalance = (): Call => ({
    to: token.address,
    data: encodeFunctionData({ abi: erc20, args: [NOBODY] }),
    value: 0n,
    gas: 100_000n,
  })

  test.each<[string, () => Call, () => StateOverrides]>([
    [
      'a word of storage',
      askBalance,
      () => ({ [token.address]: { stateDiff: { [balanceSlot(NOBODY)]: pad('0x2a') } } }),
    ],
    [
      'all storage',
      askBalance,
      () => ({ [token.address]: { state: { [balanceSlot(NOBODY)]: pad('0x2b') } } }),
    ],
    [
      'storage without it',
      askBalance,
      () => ({ [token.address]: { state: { [pad('0x09')]: pad('0x01') } } }),
    ],
    // Returns its own balance.
    ['code', askBalance, () => ({ [token.address]: { code: '0x4760005260206000f3', balance: 99n } })],
    [
      'a new contract',
      () => ({ ...askBalance(), to: NOBODY }),
      () => ({ [NOBODY]: { code: '0x602a60005260206000f3' } }),
    ],
    ['no code', askBalance, () => ({ [token.address]: { code: '0x' } })],
    // Returns the sender's nonce, by the address that it would create.
    [
      'a nonce',
      () => ({ to: NOBODY, data: '0x', value: 0n, gas: 200_000n }),
      () => ({ [NOBODY]: { code: '0x600060006000f060005260206000f3', nonce: 17n } }),
    ],
    [
      'a delegation',
      () => ({ ...callOf(machine, 'count'), to: NOBODY }),
      () => ({ [NOBODY]: { code: `0xef0100${machine.address.slice(2)}` } }),
    ],
  ])('%s', async (_, call, overrides) => {
    const { to, data, gas, value } = call()
    const expected = await chain.reader.request({
      method: 'eth_call',
      params: [
        { from: chain.account.address, ...(to && { to }), data, gas: toHex(gas), value: toHex(value) },
        'latest',
        Object.fromEntries(
          Object.entries(overrides()).map(([address, { balance, nonce, ...rest }]) => [
            address,
            {
              ...rest,
              ...(balance !== undefined && { balance: numberToHex(balance) }),
              ...(nonce !== undefined && { nonce: numberToHex(nonce) }),
            },
          ]),
        ),
      ] as never,
    })
    for (const prefer of ['evm', 'node'] as const) {
      const outcome = await chain.simulate(call(), { stateOverrides: overrides(), prefer })
      expect(outcome).toMatchObject({ success: true, returnData: expected })
    }
  })

  test('a balance that the sender does not have', async () => {
    const poor: Address = '0x00000000000000000000000000000000000b00b5'
    const call = { from: poor, to: NOBODY, data: '0x' as const, value: ONE, gas: 100_000n }
    expect(await chain.simulate(call, { call })).toMatchObject({ success: false })
    expect(await chain.simulate(call, { call, stateOverrides: { [poor]: { balance: ONE } } })).toMatchObject({
      success: true,
      assetChangesComplete: true,
    })
  })
})

describe('a simulation', () => {
  test('takes a few round trips at first, later one to read the head', async () => {
    const door = await openDoor()
    const simulate = () => chain.simulate(transfer(), { rpcUrls: [door.url] })
    expect(await simulate()).toMatchObject({ success: true, provider: 'evm', assetChangesComplete: true })
    expect(door.trips.length).toBeLessThanOrEqual(5)
    expect(door.trips.flat()).toContain('eth_createAccessList')
    door.trips.length = 0
    await simulate()
    expect(door.trips).toEqual([['eth_getBlockByNumber']])
  })

  test('names the block in every read', async () => {
    const blocks = new Set<unknown>()
    const door = await openDoor(({ method, params }) => {
      if (/Balance|Code|Storage|TransactionCount|AccessList/.test(method))
        blocks.add(JSON.stringify(params.at(-1)))
      return null
    })
    const { hash } = await chain.reader.getBlock()
    await chain.simulate(transfer(), { rpcUrls: [door.url] })
    expect([...blocks]).toEqual([JSON.stringify({ blockHash: hash })])
  })

  test('uses new state after a new head', async () => {
    const count = callOf(machine, 'count')
    const word = async () => {
      const outcome = await chain.simulate(count)
      return outcome.success ? outcome.returnData : null
    }
    const before = await word()
    await chain.send(count)
    expect(BigInt((await word()) ?? 0)).toBe(BigInt(before ?? 0) + 1n)
  })

  test('finds code that an account did not have before', async () => {
    const [account] = [chain.account.address]
    const call: Call = { ...callOf(machine, 'count'), to: account }
    expect(await chain.simulate(call)).toMatchObject({ success: true, logs: [] })
    const signed = await chain.sender.signAuthorization({
      contractAddress: machine.address,
      executor: 'self',
    })
    await chain.send(transfer(), { authorizationList: [signed] })
    expect(await chain.simulate(call)).toMatchObject({
      success: true,
      logs: [{ address: account.toLowerCase() }],
    })
  })

  test('shares its reads with simultaneous ones but not its state', async () => {
    const door = await openDoor()
    const count = callOf(machine, 'count')
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => chain.simulate(count, { rpcUrls: [door.url] })),
    )
    const [first] = outcomes
    for (const outcome of outcomes) expect(outcome).toEqual(first)
    expect(first).toMatchObject({ success: true, provider: 'evm' })
    const reads = door.trips.flat().filter((method) => method === 'eth_getCode')
    expect(reads.length).toBeLessThanOrEqual(3)
  })
})

describe('a node that', () => {
  test('creates no access lists is read step by step', async () => {
    const door = await openDoor(({ method }) => (method === 'eth_createAccessList' ? methodMissing : null))
    expect(await chain.simulate(transfer(), { rpcUrls: [door.url] })).toMatchObject({
      success: true,
      provider: 'evm',
    })
  })

  test('returns no state simulates by itself', async () => {
    const door = await openDoor(({ method }) => (method === 'eth_getStorageAt' ? methodMissing : null))
    expect(await chain.simulate(transfer(), { rpcUrls: [door.url] })).toMatchObject({
      success: true,
      provider: 'rpc-simulate',
      assetChangesComplete: false,
    })
  })

  test('does not answer is replaced by the next', async () => {
    const rpcUrls = ['http://127.0.0.1:1', chain.rpcUrl]
    expect(await chain.simulate(transfer(), { rpcUrls })).toMatchObject({ success: true, provider: 'evm' })
    await expect(chain.simulate(transfer(), { rpcUrls: rpcUrls.slice(0, 1) })).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})
