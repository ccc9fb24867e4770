import {
  concatHex,
  createTestClient,
  getAddress,
  http,
  padHex,
  publicActions,
  type Address,
  type Hex,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readProxy } from '../../../../relayer/chain/contracts/read-proxy.ts'
import { startNode, type Node } from '../broadcast/start-node.ts'

const PROXY = getAddress('0x00000000000000000000000000000000000a0001')
const IMPLEMENTATION = getAddress('0x00000000000000000000000000000000000b0001')
const BEACON = getAddress('0x00000000000000000000000000000000000c0001')
const ADMIN = getAddress('0x00000000000000000000000000000000000d0001')
const slots = {
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
} as const
const SOME_CODE = '0x6000'
/** Answers every call with the address. */
const answering = (address: Address): Hex => concatHex(['0x73', address, '0x60005260206000f3'])
const REVERTING = '0x60006000fd'

let node: Node
const clientOf = (url: string) =>
  createTestClient({ chain: foundry, mode: 'anvil', transport: http(url, { retryCount: 0 }) }).extend(
    publicActions,
  )

beforeAll(async () => {
  node = await startNode()
})
afterAll(() => node?.stop())

async function lay(code: Hex, slotsOfProxy: Partial<Record<keyof typeof slots, Hex>> = {}) {
  const client = clientOf(node.url)
  await client.setCode({ address: PROXY, bytecode: code })
  for (const [name, slot] of Object.entries(slots))
    await client.setStorageAt({
      address: PROXY,
      index: slot,
      value: padHex(slotsOfProxy[name as keyof typeof slots] ?? '0x00', { size: 32 }),
    })
  return readProxy(client, PROXY, code)
}

test('a minimal proxy names its implementation in its code', async () => {
  const code = concatHex(['0x363d3d373d3d3d363d73', IMPLEMENTATION, '0x5af43d82803e903d91602b57fd5bf3'])
  expect(await lay(code)).toEqual({ kind: 'eip1167', implementation: IMPLEMENTATION, admin: null })
  expect(await lay(concatHex([code, '0x00']))).toBeNull()
})

test('a proxy of EIP-1967 names implementation and admin in its slots', async () => {
  expect(await lay(SOME_CODE, { implementation: IMPLEMENTATION, admin: ADMIN })).toEqual({
    kind: 'eip1967',
    implementation: IMPLEMENTATION,
    admin: ADMIN,
  })
  expect(await lay(SOME_CODE, { implementation: IMPLEMENTATION })).toMatchObject({ admin: null })
})

test('a beacon is asked for the implementation, and one that answers none is no proxy', async () => {
  const client = clientOf(node.url)
  await client.setCode({ address: BEACON, bytecode: answering(IMPLEMENTATION) })
  expect(await lay(SOME_CODE, { beacon: BEACON })).toMatchObject({
    kind: 'eip1967-beacon',
    implementation: IMPLEMENTATION,
  })
  for (const bytecode of [REVERTING, '0x', SOME_CODE, answering(padHex('0x00', { size: 20 }))] as const) {
    await client.setCode({ address: BEACON, bytecode })
    expect(await lay(SOME_CODE, { beacon: BEACON })).toBeNull()
  }
})

test('a beacon gets the gas that a getter needs, and no more', async () => {
  // It answers the gas that is left.
  await clientOf(node.url).setCode({ address: BEACON, bytecode: '0x5a60005260206000f3' })
  const told = await lay(SOME_CODE, { beacon: BEACON })
  expect(BigInt(told?.implementation ?? 0)).toBeLessThan(200_000n)
  // It never ends by itself.
  await clientOf(node.url).setCode({ address: BEACON, bytecode: '0x5b600056' })
  expect(await lay(SOME_CODE, { beacon: BEACON })).toBeNull()
})

test('a slot that holds more than an address is no proxy', async () => {
  expect(await lay(SOME_CODE)).toBeNull()
  expect(await lay(SOME_CODE, { implementation: `0x01${IMPLEMENTATION.slice(2)}` })).toBeNull()
})

test('a node that does not answer is no answer', async () => {
  await expect(readProxy(clientOf('http://127.0.0.1:9'), PROXY, SOME_CODE)).rejects.toThrow(
    'HTTP request failed',
  )
})
