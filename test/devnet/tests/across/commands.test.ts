import { parseEventLogs, parseUnits, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { spokePoolEvents } from '../../../../relayer/chain/contracts/across.ts'
import { at } from '../../../vectors/relay-story.ts'
import {
  balanceOf,
  freshAddress,
  postCommand,
  startAcrossWorld,
  timeOf,
  type AcrossWorld,
  type MadeDeposit,
} from './start-across-world.ts'

let world: AcrossWorld
let dollar: Address
let recipient: Address

beforeAll(async () => {
  world = await startAcrossWorld()
  dollar = at(world.origin.tokens, 0).address
})
afterAll(() => world?.[Symbol.asyncDispose]())

const done = { status: 200 }
const received = () => balanceOf(world.destination, dollar, recipient)

/** A deposit that the filler has seen and waits with. */
async function depositHeld(amount = parseUnits('100', 6)): Promise<MadeDeposit> {
  expect(await world.tell('hold')).toMatchObject({ status: 200, body: { mode: 'hold' } })
  recipient = freshAddress()
  const deposit = await world.deposit({ token: dollar, amount, recipient })
  await expect.poll(() => world.stateOf(deposit)).toBe('open')
  return deposit
}

/** Deposits once more and waits for that fill: then every earlier due fill has happened. */
async function letOthersBeFilled(): Promise<void> {
  const later = await world.deposit({ token: dollar, amount: 2_000_000n, recipient: freshAddress() })
  await expect.poll(() => world.stateOf(later)).toBe('filled')
}

/** The fills of a deposit's number at the destination's SpokePool. */
async function fillsOf({ depositId }: MadeDeposit) {
  const { across, wallet } = world.destination
  const logs = await wallet.reader.getLogs({ address: across.spokePool, fromBlock: 0n })
  return parseEventLogs({ abi: spokePoolEvents, logs, eventName: 'FilledRelay' })
    .filter(({ args }) => String(args.depositId) === depositId)
    .map(({ args }) => [args.outputAmount, args.relayExecutionInfo.fillType])
}

it('hold: nothing is filled until it is released', async () => {
  const deposit = await depositHeld()
  const other = await depositHeld()
  expect(await fillsOf(deposit)).toEqual([])
  expect(await world.tell('release')).toMatchObject({ status: 200, body: { mode: 'fill' } })
  await expect.poll(() => world.stateOf(other)).toBe('filled')
  expect(await fillsOf(deposit)).toEqual([[deposit.outputAmount, 0]])
})

it('delay: a fill waits that many seconds, and an earlier one comes with a shorter delay', async () => {
  expect(await world.tell('delay', { seconds: 3_600 })).toMatchObject({ body: { delaySeconds: 3_600 } })
  const deposit = await world.deposit({ token: dollar, amount: 1_000_000n, recipient })
  await expect.poll(() => world.stateOf(deposit)).toBe('open')
  expect(await fillsOf(deposit)).toEqual([])
  expect(await world.tell('delay', { seconds: 0 })).toMatchObject(done)
  await expect.poll(() => world.stateOf(deposit)).toBe('filled')
})

it('refuse: this deposit alone is never filled', async () => {
  const refused = await depositHeld()
  expect(await world.tell('refuse', refused)).toMatchObject({ body: { deposit: { state: 'refused' } } })
  await world.tell('release')
  await letOthersBeFilled()
  expect(await fillsOf(refused)).toEqual([])
})

it('refuse-all: deposits made meanwhile are never filled, also after the release', async () => {
  await world.tell('refuse-all')
  const refused = await world.deposit({ token: dollar, amount: 1_000_000n, recipient })
  await expect.poll(() => world.stateOf(refused)).toBe('refused')
  await world.tell('release')
  await letOthersBeFilled()
  expect(await fillsOf(refused)).toEqual([])
})

it('spoof: the contract reports a fill of the same number that pays one unit, and the true fill still comes', async () => {
  const deposit = await depositHeld()
  expect(await world.tell('spoof', deposit)).toMatchObject({ body: { deposit: { state: 'open' } } })
  expect(await fillsOf(deposit)).toEqual([[1n, 0]])
  expect(await received()).toBe(1n)
  await world.tell('release')
  await expect.poll(received).toBe(1n + deposit.outputAmount)
  expect(await fillsOf(deposit)).toEqual([
    [1n, 0],
    [deposit.outputAmount, 0],
  ])
})

it('slow-fill: the SpokePool itself pays, once', async () => {
  const deposit = await depositHeld()
  expect(await world.tell('slow-fill', deposit)).toMatchObject({ body: { deposit: { state: 'filled' } } })
  expect(await fillsOf(deposit)).toEqual([[deposit.outputAmount, 2]])
  expect(await received()).toBe(deposit.outputAmount)
  expect(await world.tell('slow-fill', deposit)).toMatchObject({
    status: 409,
    body: { message: 'the deposit is filled' },
  })
  await world.tell('release')
  await letOthersBeFilled()
  expect(await received()).toBe(deposit.outputAmount)
})

it('slow-fill: a coin arrives as a coin', async () => {
  await world.tell('hold')
  recipient = freshAddress()
  const deposit = await world.deposit({ token: zeroAddress, amount: 10n ** 18n, recipient })
  expect(await world.tell('slow-fill', deposit)).toMatchObject(done)
  expect(await balanceOf(world.destination, zeroAddress, recipient)).toBe(deposit.outputAmount)
})

it('refund: only after the deadline, only once, of the deposited amount, to its depositor', async () => {
  const { origin, destination } = world
  const depositor = origin.wallet.account.address
  const deposit = await depositHeld()
  const before = await balanceOf(origin, dollar, depositor)
  expect(await world.tell('refund', deposit)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('expire it first') as unknown },
  })
  expect(await world.tell('expire', deposit)).toMatchObject({ body: { deposit: { state: 'expired' } } })
  const expiredAt = await timeOf(destination.wallet)
  expect(expiredAt).toBeGreaterThan(deposit.fillDeadline)
  expect(await world.tell('slow-fill', deposit)).toMatchObject({ status: 409 })
  expect(await world.tell('spoof', deposit)).toMatchObject({
    status: 409,
    body: { message: 'the contract refuses it: ExpiredFillDeadline' },
  })
  expect(await world.tell('refund', deposit)).toMatchObject(done)
  expect(await balanceOf(origin, dollar, depositor)).toBe(before + parseUnits('100', 6))
  expect(await world.tell('refund', deposit)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('was paid back by 0x') as unknown },
  })
  expect(await balanceOf(origin, dollar, depositor)).toBe(before + parseUnits('100', 6))
  // Its clock is ahead of ours now and must not run backwards.
  await world.tell('release')
  await letOthersBeFilled()
  expect(await timeOf(destination.wallet)).toBeGreaterThanOrEqual(expiredAt)
})

it.each([
  ['an unknown member', '{"command":"hold","more":1}', 'application/json', 400],
  ['an unknown command', '{"command":"fly"}', 'application/json', 400],
  ['a negative delay', '{"command":"delay","seconds":-1}', 'application/json', 400],
  ['no number', '{"command":"refund","originChainId":31337,"depositId":"x"}', 'application/json', 400],
  ['no deposit', '{"command":"refund","originChainId":31337,"depositId":"999"}', 'application/json', 404],
  ['no JSON', 'hold', 'application/json', 400],
  ['the type that a page of another site may send', '{"command":"hold"}', 'text/plain', 400],
  ['too much', `{"command":"${'a'.repeat(5_000)}"}`, 'application/json', 400],
])('a command of %s is refused', async (_, body, type, status) => {
  const answer = await postCommand(world.url, body, type)
  expect(answer).toMatchObject({ status, body: { message: expect.any(String) as unknown } })
})
