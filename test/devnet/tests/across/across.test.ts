import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  encodeFunctionData,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
  type Abi,
  type Address,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { encodeMessage } from '../../../../relayer/transact/venues/bridge/across/across-venue.ts'
import { readSuggestedFees } from '../../../../relayer/transact/venues/bridge/across/suggested-fees.ts'
import { at } from '../../../vectors/relay-story.ts'
import { balanceOf, freshAddress, startAcrossWorld, timeOf, type AcrossWorld } from './start-across-world.ts'

const callsAbi: Abi = parseAbi([
  'function approve(address spender, uint256 value)',
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params)',
  'function drainLeftoverTokens(address token, address destination)',
])

let world: AcrossWorld

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'across-test-'))
  world = await startAcrossWorld({}, { folder, isNew: false })
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

it('fills coins as coins and dollars as dollars, to the unit, from its own funds', async () => {
  const { destination } = world
  const dollar = at(destination.tokens, 0).address
  const recipient = freshAddress()
  const coins = await world.deposit({ token: zeroAddress, amount: parseEther('2'), recipient })
  const dollars = await world.deposit({ token: dollar, amount: parseUnits('500', 6), recipient })
  await expect.poll(() => balanceOf(destination, zeroAddress, recipient)).toBe(coins.outputAmount)
  await expect.poll(() => balanceOf(destination, dollar, recipient)).toBe(dollars.outputAmount)
  await expect.poll(() => world.stateOf(dollars)).toBe('filled')
})

it('leaves deposits alone that would cost it money, or that ask for a token it does not carry', async () => {
  const { destination } = world
  const [dollar, euro] = [at(destination.tokens, 0).address, at(destination.tokens, 1).address]
  const recipient = freshAddress()
  const greedy = await world.deposit({ token: dollar, amount: 1_000_000n, output: 1_000_001n, recipient })
  const other = await world.deposit({ token: dollar, amount: 1_000_000n, outputToken: euro, recipient })
  const fair = await world.deposit({ token: dollar, amount: 1_000_000n, recipient })
  await expect.poll(() => world.stateOf(fair)).toBe('filled')
  expect(await world.list()).toMatchObject([
    { depositId: fair.depositId },
    { depositId: other.depositId, state: 'refused', reason: 'these tokens are not carried' },
    { depositId: greedy.depositId, state: 'refused', reason: 'it wants more than it gives' },
    {},
    {},
  ])
  expect(await balanceOf(destination, dollar, recipient)).toBe(fair.outputAmount)
})

it('gives the calls of a message the gas that they need: the bridged token is exchanged, and not passed on unexchanged', async () => {
  const { destination } = world
  const [dollar, euro] = [at(destination.tokens, 0).address, at(destination.tokens, 1).address]
  const { multicallHandler: handler } = destination.across
  const { router } = destination.uniswap
  const [recipient, amountIn] = [freshAddress(), 999_000n]
  const swap = { tokenIn: dollar, tokenOut: euro, fee: 500, recipient, amountIn }
  const call = (
    to: Address,
    functionName: 'approve' | 'exactInputSingle' | 'drainLeftoverTokens',
    args: readonly unknown[],
  ) => ({
    to,
    value: 0n,
    data: encodeFunctionData({ abi: callsAbi, functionName, args }),
  })
  const calls = [
    call(dollar, 'approve', [router, amountIn]),
    call(router, 'exactInputSingle', [{ ...swap, amountOutMinimum: 1n, sqrtPriceLimitX96: 0n }]),
    call(handler, 'drainLeftoverTokens', [dollar, recipient]),
  ]
  const message = encodeMessage({ calls, recipient })
  const made = await world.deposit({ token: dollar, amount: 1_000_000n, recipient: handler, message })
  await expect.poll(() => world.stateOf(made)).toBe('filled')
  expect(await balanceOf(destination, euro, recipient)).toBeGreaterThan(0n)
  expect(await balanceOf(destination, dollar, recipient)).toBe(0n)
})

it('gives the costs of a transfer in the protocol that the service reads, and refuses unsupported transfers', async () => {
  const { origin, destination, url } = world
  const dollar = at(origin.tokens, 0).address
  const service = { url: `${url}/api/suggested-fees`, timeoutMs: 5_000 }
  const ask = {
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    inputToken: dollar,
    outputToken: dollar,
    amount: parseUnits('100', 6),
    message: null,
  }
  const plain = await readSuggestedFees(service, ask)
  expect(plain).toMatchObject({ fee: parseUnits('0.1', 6), fillSeconds: 1 })
  const handler = destination.across.multicallHandler
  const { fee } = await readSuggestedFees(service, { ...ask, message: { data: '0x12', handler } })
  expect(fee).toBeGreaterThan(plain.fee)
  await expect(readSuggestedFees(service, { ...ask, amount: 1n })).rejects.toMatchObject({
    code: 'AMOUNT_TOO_LOW',
  })
  await expect(readSuggestedFees(service, { ...ask, amount: 10n ** 30n })).rejects.toMatchObject({
    code: 'AMOUNT_TOO_HIGH',
  })
  const asked = async (changes: Record<string, string>) => {
    const words = { ...ask, amount: '1000000', message: '', ...changes }
    const params = Object.entries(words).flatMap(([name, value]) =>
      value === '' ? [] : [[name, String(value)]],
    )
    const response = await fetch(`${service.url}?${new URLSearchParams(params)}`)
    return { status: response.status, body: await response.json() }
  }
  const refused = { status: 400, body: { code: 'INVALID_PARAM' } }
  expect(await asked({ outputToken: at(destination.tokens, 1).address })).toMatchObject(refused)
  expect(await asked({ destinationChainId: '1' })).toMatchObject(refused)
  expect(await asked({ destinationChainId: String(origin.chainId) })).toMatchObject(refused)
  expect(await asked({ amount: '-1' })).toMatchObject(refused)
})

it('killed between a deposit and its fill: the next process fills it once, nothing twice, and keeps its orders', async () => {
  const token = at(world.origin.tokens, 0).address
  const recipient = freshAddress()
  const ask = { token, amount: parseUnits('10', 6), recipient }
  const filled = await world.deposit(ask)
  await expect.poll(() => world.stateOf(filled)).toBe('filled')
  await world.tell('delay', { seconds: 3_600 })
  const open = await world.deposit(ask)
  await expect.poll(() => world.stateOf(open)).toBe('open')

  process.kill(findFiller(), 'SIGKILL')
  const meanwhile = await world.deposit(ask)
  await expect.poll(() => world.stateOf(meanwhile).catch(() => null)).toBe('open')
  expect(await world.stateOf(open)).toBe('open')
  expect(await world.stateOf(filled)).toBe('filled')
  expect(await world.tell('delay', { seconds: 0 })).toMatchObject({ status: 200 })
  await expect.poll(() => world.stateOf(meanwhile)).toBe('filled')
  expect(await world.stateOf(open)).toBe('filled')
  expect(await balanceOf(world.destination, token, recipient)).toBe(3n * open.outputAmount)
})

it('stopped and resumed with its devnet: open deposits are filled, refunds stay paid, no clock runs back', async () => {
  const recipient = freshAddress()
  const ask = { token: zeroAddress, amount: parseEther('1'), recipient }
  await world.tell('delay', { seconds: 3_600 })
  const refunded = await world.deposit({ ...ask, fillSeconds: 300 })
  await expect.poll(() => world.stateOf(refunded)).toBe('open')
  expect(await world.tell('expire', refunded)).toMatchObject({ status: 200 })
  expect(await world.tell('refund', refunded)).toMatchObject({ status: 200 })
  const open = await world.deposit(ask)
  const before = { time: await timeOf(world.destination.wallet), across: world.destination.across }
  await world[Symbol.asyncDispose]()

  world = await startAcrossWorld({}, { folder })
  expect(world.destination.across).toEqual(before.across)
  await expect.poll(() => world.stateOf(open)).toBe('filled')
  expect(await world.stateOf(refunded)).toBe('expired')
  expect(await balanceOf(world.destination, zeroAddress, recipient)).toBe(open.outputAmount)
  expect(await timeOf(world.destination.wallet)).toBeGreaterThan(before.time)
  expect(await world.tell('refund', refunded)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('was paid back by 0x') as unknown },
  })
})

/** The one child of this process that runs the filler's process. */
function findFiller(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ')
  const isFiller = (pid: string) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('neighbours-process.ts')
  return Number(children.find(isFiller))
}
