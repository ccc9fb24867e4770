import fc from 'fast-check'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts, randomAddress } from '../chain-calls.ts'
import { bornWith, runSteps, type Step } from './move-steps.ts'
import { expectMoves, startMoveWorld, type MoveWorld } from './start-move-world.ts'

let world: MoveWorld
let mover: Address
beforeAll(async () => {
  world = await startMoveWorld()
  mover = world.mover
})
afterAll(() => world?.[Symbol.asyncDispose]())

const precompile = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const [payer, payee] = accounts.clients.map(({ address }) => address.toLowerCase() as Address) as [
  Address,
  Address,
]
const lower = (address: Address) => address.toLowerCase() as Address
/** Recipients and amounts of the moves in a block's transactions, by call. */
const listMoves = async (block: Parameters<typeof expectMoves>[1]) =>
  (await expectMoves(world, block)).map(({ txIndex, item, to, value }) => [txIndex, item, to, value])

test('transactions to an address, oneself, a precompile, no address and a new contract move coins', async () => {
  const block = await world.mine(
    { to: payee, value: 5n },
    { to: payer, value: 6n },
    { to: precompile(4), value: 7n, data: '0x1234' },
    { to: payee },
    { value: 8n, data: bornWith() },
  )
  const receipt = await world.ask<{ contractAddress: Address }>(
    'eth_getTransactionReceipt',
    block.transactions[4]!.hash,
  )
  expect(await listMoves(block)).toEqual([
    [0, 0, payee, 5n],
    [1, 0, payer, 6n],
    [2, 0, precompile(4), 7n],
    [4, 0, receipt.contractAddress, 8n],
  ])
})

test('inner calls of every kind move coins, except reverted ones and those that never began', async () => {
  const to = lower(randomAddress())
  const one: Step = { kind: 'call', to, value: 1n }
  const undone: Step[] = [one, { kind: 'revert' }]
  const block = await world.mine({
    to: mover,
    value: 2n,
    data: runSteps(
      { kind: 'call', to: precompile(4), data: '0x1234' },
      { kind: 'staticCall', to: precompile(1), data: '0x1234' },
      { kind: 'call', to: precompile(2), value: 3n, data: '0x1234' },
      { kind: 'delegateCall', to: precompile(2), data: '0x1234' },
      { kind: 'call', to, value: 10n ** 30n },
      { kind: 'call', to, value: 5n },
      { kind: 'callCode', to: mover, value: 2n, data: runSteps(one) },
      { kind: 'delegateCall', to: mover, data: runSteps(one) },
      { kind: 'staticCall', to: mover, gasLimit: 50_000n, data: runSteps(one) },
      { kind: 'call', to: mover, value: 4n, data: runSteps({ ...one, value: 9n }) },
      {
        kind: 'call',
        to: mover,
        value: 4n,
        data: runSteps({ kind: 'call', to: mover, data: runSteps(one) }, ...undone),
      },
      { kind: 'call', to: mover, value: 4n, gasLimit: 100n, data: runSteps(one) },
      { kind: 'delegateCall', to: mover, data: runSteps(...undone) },
      { kind: 'call', to, value: 11n },
    ),
  })
  const told = await listMoves(block)
  expect(told).toEqual([
    [0, 0, lower(mover), 2n],
    [0, 1, precompile(2), 3n],
    [0, 2, to, 5n],
    [0, 3, to, 1n],
    [0, 4, to, 1n],
    [0, 5, lower(mover), 4n],
    [0, 6, to, 9n],
    [0, 7, to, 11n],
  ])
})

test('contract creations move coins, unless they fail', async () => {
  const to = lower(randomAddress())
  const one: Step = { kind: 'call', to, value: 1n }
  const block = await world.mine(
    {
      to: mover,
      data: runSteps(
        { kind: 'create', value: 7n, data: bornWith(one) },
        { kind: 'create2', value: 8n, data: bornWith({ kind: 'selfDestruct', to }) },
        { kind: 'create', value: 9n, data: bornWith(one, { kind: 'revert' }) },
        { kind: 'create', value: 10n ** 30n, data: bornWith() },
        { kind: 'delegateCall', to: mover, data: runSteps({ kind: 'create', value: 12n, data: '0x00' }) },
        { kind: 'create2', value: 10n, data: bornWith() },
        // These use nearly all gas: a creation with code and salt that were used before, and one with invalid code.
        { kind: 'create2', value: 10n, data: bornWith() },
        { kind: 'create', value: 11n, data: '0xfe' },
      ),
    },
    { value: 13n, data: bornWith({ kind: 'selfDestruct', to }) },
    { value: 14n, data: bornWith(one, { kind: 'revert' }) },
  )
  expect((await listMoves(block)).map(([txIndex, item, , value]) => [txIndex, item, value])).toEqual([
    [0, 1, 7n],
    [0, 2, 1n],
    [0, 3, 8n],
    [0, 4, 8n],
    [0, 5, 12n],
    [0, 6, 10n],
    [1, 0, 13n],
    [1, 1, 13n],
  ])
})

test('a contract that was there before and destroys itself gives all it has', async () => {
  const to = lower(randomAddress())
  const made = await world.mine({ value: 20n, data: bornWith() })
  const { contractAddress: victim } = await world.ask<{ contractAddress: Address }>(
    'eth_getTransactionReceipt',
    made.transactions[0]!.hash,
  )
  const block = await world.mine(
    { to: victim, value: 1n, data: runSteps({ kind: 'selfDestruct', to }) },
    { to: victim, value: 3n, data: runSteps({ kind: 'call', to, value: 1n }, { kind: 'selfDestruct', to }) },
  )
  expect(await listMoves(block)).toEqual([
    [0, 0, victim, 1n],
    [0, 1, to, 21n],
    [1, 0, victim, 3n],
    [1, 1, to, 1n],
    [1, 2, to, 2n],
  ])
})

test('a contract that destroys itself in favour of itself moves nothing', async () => {
  const to = lower(randomAddress())
  const made = await world.mine({ value: 20n, data: bornWith() })
  const { contractAddress: victim } = await world.ask<{ contractAddress: Address }>(
    'eth_getTransactionReceipt',
    made.transactions[0]!.hash,
  )
  const itself: Step = { kind: 'selfDestruct', to: victim }
  const block = await world.mine(
    { to: victim, value: 2n, data: runSteps(itself) },
    { to: victim, value: 3n, data: runSteps({ kind: 'call', to, value: 4n }, itself) },
    { to: victim, data: runSteps({ kind: 'call', to: mover, value: 5n, data: runSteps() }, itself) },
    { to: mover, value: 6n, data: runSteps({ kind: 'call', to: victim, value: 7n, data: runSteps(itself) }) },
    { to: victim, data: runSteps(itself) },
  )
  expect(await listMoves(block)).toEqual([
    [0, 0, victim, 2n],
    [1, 0, victim, 3n],
    [1, 1, to, 4n],
    [2, 1, lower(mover), 5n],
    [3, 0, lower(mover), 6n],
    [3, 1, victim, 7n],
  ])
})

test('transactions that fail move nothing, whatever they did before', async () => {
  const one: Step = { kind: 'call', to: payee, value: 1n }
  const block = await world.mine(
    { to: mover, value: 1n, data: runSteps(one, { kind: 'revert' }) },
    { to: mover, value: 2n, data: '0xdeadbeef' },
    { to: payee, value: 3n },
    { value: 4n, data: '0xfe' },
  )
  expect(await listMoves(block)).toEqual([[2, 0, payee, 3n]])
})

test('an address with EIP-7702 code sends, receives and passes on coins', async () => {
  const account = privateKeyToAccount(accounts.clients[2]!.privateKey)
  const own = lower(account.address)
  const to = lower(randomAddress())
  const authorization = await account.signAuthorization({ address: mover, chainId: 31_337, nonce: 1 })
  const raw = await account.signTransaction({
    type: 'eip7702',
    chainId: 31_337,
    nonce: 0,
    to: own,
    value: 1n,
    data: runSteps({ kind: 'call', to, value: 2n }),
    gas: 1_000_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    authorizationList: [authorization],
  })
  const block = await world.mine(
    { raw },
    { to: own, value: 3n, data: runSteps({ kind: 'call', to, value: 4n }) },
  )
  expect(await listMoves(block)).toEqual([
    [0, 0, own, 1n],
    [0, 1, to, 2n],
    [1, 0, own, 3n],
    [1, 1, to, 4n],
  ])
})

test('both trace formats give the same transfers, which equal the changes of balances', async () => {
  const targets = [payee, randomAddress(), mover, precompile(4), precompile(6)]
  const { steps } = fc.letrec<{ steps: Step[] }>((tie) => ({
    steps: fc.array(
      fc
        .record({
          kind: fc.constantFrom<Step['kind'][]>(
            ...(['call', 'callCode', 'delegateCall', 'staticCall'] as const),
            ...(['call', 'create', 'create2', 'selfDestruct', 'revert'] as const),
          ),
          to: fc.constantFrom(...targets),
          value: fc.constantFrom(0n, 0n, 1n, 7n, 10n ** 30n),
          gasLimit: fc.constantFrom(0n, 0n, 0n, 60_000n),
          within: fc.option(tie('steps'), { depthSize: 'small' }),
        })
        .map(({ within, kind, ...step }) => ({
          ...step,
          // A mover that destroyed itself could not pay again.
          kind: kind === 'selfDestruct' && within ? ('call' as const) : kind,
          data: within ? (kind.startsWith('create') ? bornWith(...within) : runSteps(...within)) : undefined,
        })),
      { maxLength: 4 },
    ) as fc.Arbitrary<Step[]>,
  }))
  let moved = 0
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 3 }), async (transactions) => {
      const block = await world.mine(
        ...transactions.map((own) => ({ to: mover, value: 100n, data: runSteps(...own) })),
      )
      moved += (await expectMoves(world, block)).length
    }),
    { numRuns: 60, seed: 11 },
  )
  expect(moved).toBeGreaterThan(60)
})
