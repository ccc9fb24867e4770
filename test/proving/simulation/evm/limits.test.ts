import { concatHex, numberToHex, pad, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callOf, ONE, startEvmChain, type Call, type Contract, type EvmChain } from './start-evm-chain.ts'
import { createProvingPool } from '../../../../proving/create-proving-pool.ts'
import { closeSharedThreads } from '../../../harness/share-threads.ts'
import { reachOwnThreads } from '../../reach-threads.ts'
import { SENDER } from '../start-reverting-contract.ts'
import { PRECOMPILE_INPUTS } from './precompile-inputs.ts'

let chain: EvmChain
let machine: Contract
let token: Contract
beforeAll(async () => {
  await closeSharedThreads()
  chain = await startEvmChain()
  machine = await chain.deploy('Machine', [], ONE)
  token = await chain.deploy('OddToken', [0])
})
afterAll(() => chain.close())

const gas = 16_777_216n
const precompile = (address: number) => pad(numberToHex(address), { size: 20 })
const inputOf = (name: string): Hex => PRECOMPILE_INPUTS.find(([other]) => other === name)?.[2] ?? '0x'
const run = (name: string, args: readonly unknown[] = []): Call => callOf(machine, name, args, { gas })

/** Sixteen million rounds in one call, which cannot be interrupted. */
const blakeBomb = concatHex(['0x00f42400', `0x${inputOf('BLAKE2').slice(10)}`])

const modExpOf = (base: number, exponent: number, modulus: number, data: Hex) =>
  concatHex([...[base, exponent, modulus].map((length) => pad(numberToHex(length))), data])

describe('is given up and leaves the next simulation as it was:', () => {
  test.each<[string, () => Call, 'time' | 'frames']>([
    // To an address without code, so that even a slow machine reaches the limit in time.
    ['a flood of calls', () => run('hammer', [SENDER, '0x']), 'frames'],
    [
      'a loop of a slow precompile',
      () => run('hammer', [precompile(0x11), pad('0x05', { size: 128 })]),
      'time',
    ],
    // 40 million steps, each of which shifts an exponent of 5 MB; only its length is paid for.
    [
      'an endless power',
      () => ({ to: precompile(5), data: modExpOf(1, 5_000_000, 1, '0x03ffff'), value: 0n, gas }),
      'time',
    ],
    ['one endless precompile', () => ({ to: precompile(9), data: blakeBomb, value: 0n, gas }), 'time'],
  ])('%s', async (_, call, limit) => {
    const outcome = await chain.simulate(call(), { timeoutMs: 20_000, audit: true })
    // A quick machine computes sixteen million rounds within the limit of 1.5 s, and then audits.
    if (outcome.success) expect(outcome.cpuMs).toBeLessThan(2_000)
    else
      expect(outcome).toMatchObject({
        provider: 'evm',
        gasUsed: null,
        limit,
        revert: { name: null, text: expect.stringMatching(/given up/) },
      })
    const next = await chain.simulate(callOf(token, 'transfer', [machine.address, 5n]))
    expect(next).toMatchObject({ success: true, provider: 'evm', assetChangesComplete: true })
  })
})

test('a call with too little gas fails as usual', async () => {
  const power = { to: precompile(5), data: modExpOf(1, 5_000_000, 1, '0x03ffff'), value: 0n, gas: 1_000_000n }
  expect(await chain.simulate(power)).toMatchObject({ success: false, provider: 'evm', gasUsed: 1_000_000n })
})

test('an endless loop does not delay a signature', async () => {
  const order: string[] = []
  const loop = chain.simulate(run('spin')).then(() => order.push('loop'))
  const own = chain.pool
    .findOwnSigner({
      message: {
        chainId: 1,
        withdrawalData: '0x',
        asset: machine.address,
        expiration: 1n,
        amount: 1n,
        extraGas: false,
      },
      signature: `0x${'11'.repeat(65)}`,
    })
    .catch(() => null)
    .then(() => order.push('signature'))
  await Promise.all([loop, own])
  expect(order).toEqual(['signature', 'loop'])
})

test('with cores to spare, a call that cannot be interrupted does not delay the one of another', async () => {
  const pool = await createProvingPool({ threads: 3, commitmentKeys: [] })
  try {
    const jobOf = (call: Call) => ({
      rpcUrls: [chain.rpcUrl],
      call: { from: chain.account.address, ...call },
      errorAbi: [],
      timeoutMs: 20_000,
      prefer: 'evm' as const,
    })
    const transfer = () => pool.simulate(jobOf(callOf(token, 'transfer', [machine.address, 5n])))
    await Promise.all([transfer(), transfer()])
    const order: string[] = []
    await Promise.all([
      pool.simulate(jobOf(run('spin'))).then(() => order.push('loop')),
      transfer().then(() => order.push('transfer')),
    ])
    expect(order).toEqual(['transfer', 'loop'])
  } finally {
    await pool.close()
  }
})

test('a long return value is returned in part', async () => {
  // Returns 100,000 zero bytes.
  const outcome = await chain.simulate({ to: null, data: '0x620186a06000f3', value: 0n, gas })
  expect(outcome.success).toBe(false) // larger than a contract may be
  const echo = await chain.simulate({
    to: precompile(4),
    data: `0x${'00'.repeat(100_000)}`,
    value: 0n,
    gas,
  })
  if (!echo.success) throw new Error(echo.revert.text)
  expect(echo.returnData).toHaveLength(2 + 2 * 65_536)
})

test.each([
  ['of 1 KiB', '0x5b6104006000a0600056'],
  ['of nothing', '0x5b60006000a0600056'],
] as const)('an endless loop of logs %s ends', async (_, data) => {
  const outcome = await chain.simulate({ to: null, data, value: 0n, gas }, { timeoutMs: 20_000 })
  expect(outcome).toMatchObject({
    success: false,
    provider: 'evm',
    revert: { text: expect.stringMatching(/out of gas|given up/) },
  })
})

test.each([
  ['large', 120, 16_000, 65],
  ['many', 30_000, 0, 2_000],
] as const)('logs that are too %s are returned in part', async (_, count, bytes, told) => {
  const outcome = await chain.simulate(run('shout', [BigInt(count), BigInt(bytes)]), { timeoutMs: 20_000 })
  if (!outcome.success) throw new Error(outcome.revert.text)
  expect(outcome).toMatchObject({ provider: 'evm', assetChangesComplete: false })
  expect(outcome.logs).toHaveLength(told)
  const next = await chain.simulate(callOf(token, 'transfer', [machine.address, 5n]))
  expect(next).toMatchObject({ success: true, provider: 'evm', assetChangesComplete: true })
})

/**
 * Makes a thread's next request that contains this text never end. The service never does that, so the test has to.
 */
const MARK = 'b0b0b0b0'
const LOOP_AT_MARK = `process.getBuiltinModule('node:diagnostics_channel').subscribe(
  'undici:request:create',
  ({ request }) => {
    while (String(request.body).includes('${MARK}'));
  },
)`

test('a thread that no longer answers is ended, its task fails, and the others are served', async () => {
  const transfer = callOf(token, 'transfer', [machine.address, 5n])
  await chain.simulate(transfer)
  const threads = reachOwnThreads(LOOP_AT_MARK)
  try {
    await expect.poll(() => threads.list()).toHaveLength(3)
    // The recipient is new, so that the node has to be asked.
    const endless = callOf(token, 'transfer', [`0x${MARK.repeat(5)}`, 5n])
    const [first, bomb, last] = await Promise.all([
      chain.simulate(transfer),
      chain.simulate(endless, { timeoutMs: 500 }),
      chain.simulate(transfer),
    ])
    expect(bomb).toMatchObject({
      success: false,
      provider: 'evm',
      limit: 'time',
      revert: { text: expect.stringMatching(/given up: its thread no longer answered/) },
    })
    for (const outcome of [first, last, await chain.simulate(transfer)])
      expect(outcome).toMatchObject({ success: true, provider: 'evm' })
  } finally {
    threads.close()
  }
})

test('the node simulates calls that the EVM does not support', async () => {
  const kzg = { to: precompile(10), data: `0x${'00'.repeat(192)}` as const, value: 0n, gas }
  expect(await chain.simulate(kzg)).toMatchObject({ success: false, provider: 'rpc-simulate' })
})

test('more gas than a transaction may have is reduced to the maximum', async () => {
  const outcome = await chain.simulate({
    ...callOf(token, 'transfer', [machine.address, 5n]),
    gas: 2n ** 40n,
  })
  expect(outcome).toMatchObject({ success: true, provider: 'evm' })
})

test('a failure is returned with its reason', async () => {
  const refusing = await chain.deploy('OddToken', [5])
  const panicking = await chain.deploy('OddToken', [6])
  expect(await chain.simulate(callOf(refusing, 'transfer', [machine.address, 5n]))).toMatchObject({
    success: false,
    revert: { name: 'TransferRefused', text: `${chain.account.address}, 5` },
  })
  expect(await chain.simulate(callOf(panicking, 'transfer', [machine.address, 5n]))).toMatchObject({
    success: false,
    revert: { name: 'Panic', text: '0x01 assertion failed' },
  })
  expect(await chain.simulate({ ...run('fill', [0n, 50n]), gas: 60_000n })).toMatchObject({
    success: false,
    revert: { name: null, text: 'out of gas' },
  })
  expect(await chain.simulate({ ...run('count'), value: 10n ** 30n })).toMatchObject({
    success: false,
    revert: { name: null, text: 'insufficient funds for transfer' },
  })
})
