import { getAddress, parseEther, type Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callOf, ONE, startEvmChain, type Call, type Contract, type EvmChain } from './start-evm-chain.ts'

const NOBODY: Address = '0x00000000000000000000000000000000000a11ce'
const ZERO: Address = '0x0000000000000000000000000000000000000000'

let chain: EvmChain
let machine: Contract
let weth: Contract
let collectibles: Contract
let me: string
beforeAll(async () => {
  chain = await startEvmChain()
  machine = await chain.deploy('Machine', [], ONE)
  weth = await chain.deploy('WETH9')
  collectibles = await chain.deploy('Collectibles')
  me = chain.account.address.toLowerCase()
})
afterAll(() => chain.close())

async function readAssets(call: Call) {
  const outcome = await chain.simulate(call)
  if (!outcome.success) throw new Error(outcome.revert.text)
  return { changes: outcome.assetChanges, complete: outcome.assetChangesComplete }
}

const native = (from: string, to: string, amount: bigint) => ({
  type: 'native',
  token: null,
  from: from.toLowerCase(),
  to: to.toLowerCase(),
  tokenId: null,
  amount,
})
const erc20 = ({ address }: Contract, from: string, to: string, amount: bigint) => ({
  ...native(from, to, amount),
  type: 'erc20',
  token: address.toLowerCase(),
})

describe('an ERC-20 token', () => {
  test.each([
    ['keeps to the standard', 0, [1_000n], true],
    ['returns false', 1, [], true],
    ['returns nothing', 2, [1_000n], true],
    ['takes a fee untold', 3, [1_000n], false],
    ['tells twice what it moves', 7, [2_000n], false],
    ['logs as in old times', 8, [1_000n], true],
    ['logs what cannot be read', 9, [], false],
    ['moves without a word', 10, [], false],
  ])('that %s', async (_, oddity, amounts, complete) => {
    const token = await chain.deploy('OddToken', [oddity])
    const changes = amounts.map((amount) => erc20(token, me, NOBODY, amount))
    expect(await readAssets(callOf(token, 'transfer', [NOBODY, 1_000n]))).toEqual({ changes, complete })
  })

  test('sent to its own sender changes nothing', async () => {
    const token = await chain.deploy('OddToken', [0])
    expect(await readAssets(callOf(token, 'transfer', [getAddress(me), 5n]))).toEqual({
      changes: [erc20(token, me, me, 5n)],
      complete: true,
    })
  })
})

describe('wrapped coins', () => {
  test('are counted when they are minted', async () => {
    expect(await readAssets(callOf(weth, 'deposit', [], { value: 1_000n }))).toEqual({
      changes: [native(me, weth.address, 1_000n), erc20(weth, ZERO, me, 1_000n)],
      complete: true,
    })
  })

  test('are counted when they are burnt', async () => {
    await chain.send(callOf(weth, 'deposit', [], { value: 1_000n }))
    expect(await readAssets(callOf(weth, 'withdraw', [400n]))).toEqual({
      changes: [native(weth.address, me, 400n), erc20(weth, me, ZERO, 400n)],
      complete: true,
    })
  })
})

describe('collectibles', () => {
  const item = (type: string, id: bigint, amount: bigint) => ({
    ...erc20(collectibles, ZERO, NOBODY, amount),
    type,
    tokenId: id,
  })

  test('are counted as ERC-721', async () => {
    const changes = [item('erc721', 7n, 1n)]
    expect(await readAssets(callOf(collectibles, 'mint', [NOBODY, 7n]))).toEqual({ changes, complete: true })
    expect(await readAssets(callOf(collectibles, 'pretend', [NOBODY, 7n]))).toEqual({
      changes,
      complete: false,
    })
  })

  test('are counted as ERC-1155, one and many', async () => {
    expect(await readAssets(callOf(collectibles, 'issue', [NOBODY, 1n, 5n]))).toEqual({
      changes: [item('erc1155', 1n, 5n)],
      complete: true,
    })
    expect(await readAssets(callOf(collectibles, 'issueMany', [NOBODY, [1n, 2n], [3n, 4n]]))).toEqual({
      changes: [item('erc1155', 1n, 3n), item('erc1155', 2n, 4n)],
      complete: true,
    })
  })
})

describe('the native coin', () => {
  test('is counted in calls, except those that fail', async () => {
    expect(await readAssets(callOf(machine, 'forward', [NOBODY, 3n], { value: 2n }))).toEqual({
      changes: [native(me, machine.address, 2n), native(machine.address, NOBODY, 3n)],
      complete: true,
    })
    const tooMuch = callOf(machine, 'forward', [NOBODY, parseEther('9')])
    expect(await readAssets(tooMuch)).toEqual({ changes: [], complete: true })
  })

  test('is counted when a contract destroys itself', async () => {
    const mortal = await chain.deploy('Mortal', [], 77n)
    expect(await readAssets(callOf(mortal, 'die', [NOBODY]))).toEqual({
      changes: [native(mortal.address, NOBODY, 77n)],
      complete: true,
    })
  })

  test('is counted when it passes through a contract that lives for one transaction', async () => {
    const { changes, complete } = await readAssets(callOf(machine, 'createAndDestroy', [NOBODY, 9n]))
    expect(complete).toBe(true)
    const child = changes[0]?.to ?? ''
    expect(changes).toEqual([native(machine.address, child, 9n), native(child, NOBODY, 9n)])
  })

  test('is marked incomplete when there are more logs than are returned', async () => {
    const outcome = await chain.simulate(callOf(machine, 'shout', [3_000n, 0n], { gas: 10_000_000n }))
    expect(outcome).toMatchObject({ success: true, assetChangesComplete: false })
    if (outcome.success) expect(outcome.logs).toHaveLength(2_000)
  })
})

test("asset changes from a node's logs are never marked complete", async () => {
  const outcome = await chain.simulate(callOf(weth, 'deposit', [], { value: 5n }), { prefer: 'node' })
  expect(outcome).toMatchObject({
    provider: 'rpc-simulate',
    assetChanges: [erc20(weth, ZERO, me, 5n)],
    assetChangesComplete: false,
  })
})
