import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Address } from 'viem'
import type { SimulateJob } from '../../../../proving/simulate-job.ts'
import { WATCHED_BALANCES_CODE } from '../../../../proving/simulation/watched-balances-code.ts'
import { compileSolidity } from '../../../relayer/market/tokens/compile-solidity.ts'
import { methodMissing, startNodeDoor, type Doorkeeper } from '../start-node-door.ts'
import { callOf, ONE, startEvmChain, type Call, type Contract, type EvmChain } from './start-evm-chain.ts'

const NOBODY: Address = '0x00000000000000000000000000000000000a11ce'

let chain: EvmChain
let machine: Contract
let honest: Contract
let me: Address
beforeAll(async () => {
  chain = await startEvmChain()
  machine = await chain.deploy('Machine', [], ONE)
  honest = await chain.deploy('OddToken', [0])
  me = chain.account.address
})
afterAll(() => chain.close())

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const watch = (...tokens: (Contract | null)[]) => ({
  owners: [me, NOBODY],
  tokens: tokens.map((token) => token && token.address),
  explain: [me, NOBODY],
})
const simulate = async (call: Call, changes: Partial<SimulateJob>) => {
  const outcome = await chain.simulate(call, { prefer: 'node', ...changes })
  if (!outcome.success) throw new Error(outcome.revert.text)
  return outcome
}
const transferOf = (token: Contract) => callOf(token, 'transfer', [NOBODY, 1_000n])
const openDoor = async (keeper: Doorkeeper) => {
  const door = await startNodeDoor(chain.rpcUrl, keeper)
  stops.push(door.stop)
  return [door.url]
}

describe('a node’s run', () => {
  test('reports the gains and losses of watched owners, and takes the gas that it takes unwatched', async () => {
    const { gasUsed, logs, returnData } = await simulate(transferOf(honest), {})
    expect(await simulate(transferOf(honest), { watch: watch(honest, null) })).toMatchObject({
      provider: 'rpc-simulate',
      watchedChangesComplete: true,
      assetChangesComplete: false,
      assetChanges: [{ type: 'erc20', amount: 1_000n }],
      gasUsed,
      logs,
      returnData,
    })
  })

  test('reports native coins, and leaves them out of the logs', async () => {
    const forward = callOf(machine, 'forward', [NOBODY, 3n], { value: 2n })
    const { logs } = await simulate(forward, {})
    expect(await simulate(forward, { watch: watch(null) })).toMatchObject({
      provider: 'rpc-simulate',
      watchedChangesComplete: true,
      logs,
      assetChanges: [
        { type: 'native', token: null, to: machine.address.toLowerCase(), amount: 2n },
        { type: 'native', token: null, to: NOBODY, amount: 3n },
      ],
    })
  })

  test('is read in a block that asks a base fee', async () => {
    const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1n }
    const ofNobody = { owners: [NOBODY], tokens: [honest.address, null], explain: [NOBODY] }
    expect(await simulate(transferOf(honest), { fees, watch: ofNobody })).toMatchObject({
      provider: 'rpc-simulate',
      watchedChangesComplete: true,
    })
  })

  test.each([
    ['takes a fee untold', 3, 990n],
    ['moves without a word', 10, 1_000n],
  ])(
    'reports the balances of owners that no log has to explain, where a token %s',
    async (_, oddity, arrived) => {
      const token = await chain.deploy('OddToken', [oddity])
      const asked = { ...watch(token), explain: [] }
      const byNode = await simulate(transferOf(token), { watch: asked })
      expect(byNode).toMatchObject({ provider: 'rpc-simulate', watchedChangesComplete: true })
      expect(byNode.watched).toEqual([
        { owner: me, token: token.address, change: -1_000n },
        { owner: NOBODY, token: token.address, change: arrived },
      ])
      const byUs = await simulate(transferOf(token), { watch: asked, prefer: 'evm' })
      expect(byUs).toMatchObject({ provider: 'evm', watched: byNode.watched })
    },
  )

  test('that reverts is the answer', async () => {
    const refused = callOf(honest, 'transfer', [NOBODY, 10n ** 30n])
    expect(await chain.simulate(refused, { prefer: 'node', watch: watch(honest) })).toMatchObject({
      success: false,
      provider: 'rpc-simulate',
    })
  })
})

describe('our EVM decides', () => {
  test.each([
    ['takes a fee untold', 3],
    ['tells twice what it moves', 7],
    ['logs what cannot be read', 9],
    ['moves without a word', 10],
  ])('where a token %s, and does not vouch for it', async (_, oddity) => {
    const token = await chain.deploy('OddToken', [oddity])
    expect(await simulate(transferOf(token), { watch: watch(token, null) })).toMatchObject({
      provider: 'evm',
      watchedChangesComplete: false,
    })
  })

  test('if a watched owner appears with a token that was not read', async () => {
    const outcome = await simulate(transferOf(honest), { watch: watch(null) })
    expect(outcome).toMatchObject({ provider: 'evm', watchedChangesComplete: true })
  })

  test('if a watched token reports no balances', async () => {
    expect(await simulate(transferOf(honest), { watch: watch(honest, machine) })).toMatchObject({
      provider: 'evm',
    })
  })

  test.each<[string, Doorkeeper]>([
    ['has no simulation', ({ method }) => (method === 'eth_simulateV1' ? methodMissing : null)],
    [
      'takes one call at a time',
      ({ method, params }) =>
        method === 'eth_simulateV1' && JSON.stringify(params).split('"from"').length > 2
          ? { error: { code: -32_602, message: 'too many calls' } }
          : null,
    ],
    [
      'answers the call alone',
      ({ method, params }) =>
        method === 'eth_simulateV1' && JSON.stringify(params).split('"from"').length > 2
          ? { result: [{ number: '0x1', calls: [{ status: '0x1', gasUsed: '0x1', returnData: '0x' }] }] }
          : null,
    ],
    [
      'tells no native transfers',
      ({ method, params }) => {
        if (method === 'eth_simulateV1') delete (params[0] as { traceTransfers?: boolean }).traceTransfers
        return null
      },
    ],
  ])('where a node %s, which forgets none of its abilities', async (what, keeper) => {
    const rpcUrls = await openDoor(keeper)
    const forward = callOf(machine, 'forward', [NOBODY, 3n], { value: 2n })
    expect(await simulate(forward, { rpcUrls, watch: watch(null) })).toMatchObject({
      provider: 'evm',
      watchedChangesComplete: true,
    })
    expect(await simulate(forward, { rpcUrls })).toMatchObject({
      provider: what === 'has no simulation' ? 'rpc-trace' : 'rpc-simulate',
    })
  })
})

test('the code that reads balances is its source, compiled', () => {
  const source = new URL('../../../../proving/simulation/contracts/WatchedBalances.sol', import.meta.url)
  const { bytecode } = compileSolidity(source)['WatchedBalances']!
  const deployed = WATCHED_BALANCES_CODE.slice(2)
  // The deployment code is before it.
  expect(bytecode.endsWith(deployed)).toBe(true)
  expect(bytecode.length - deployed.length).toBeLessThan(100)
})
