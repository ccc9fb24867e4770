import { createWalletClient, encodeFunctionData, http, parseAbi, type Address, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startSubmissionWorld, type SubmissionWorld, type TestQuote } from './start-submission-world.ts'

/** PROTOCOL.md, "Taking a signature back". */
const account = parseAbi(['function invalidateNonce(uint256 nonce)'])

let world: SubmissionWorld
beforeAll(async () => {
  world = await startSubmissionWorld()
})
afterEach(async () => {
  await world.stopServices()
  await world.blocks.stopMining()
})
afterAll(() => world.stop())

/** A call that does nothing. */
const nothing = (to: Address) => ({ to, value: 0n, data: '0x' as const })

/** The owner's own transaction, from the address to itself. */
async function sendToSelf(key: PrivateKeyAccount, data: Hex): Promise<() => Promise<void>> {
  const owner = createWalletClient({ account: key, transport: http(world.config.rpcUrls[0]) })
  await world.ask('anvil_setBalance', key.address, '0xde0b6b3a7640000')
  const fees = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 20_000_000_000n }
  const hash = await owner.sendTransaction({ chain: null, to: key.address, data, gas: 200_000n, ...fees })
  return async () =>
    expect(await world.reader.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
}
const cancel = (key: PrivateKeyAccount, nonce: bigint) =>
  sendToSelf(key, encodeFunctionData({ abi: account, functionName: 'invalidateNonce', args: [nonce] }))

/** A quote whose address delegates by an intent that was executed before. */
async function quoteDelegated(): Promise<TestQuote & { key: PrivateKeyAccount }> {
  const sender = await world.openSender(1)
  const key = sender.keys[0]!
  const first = await world.sign(key, world.draft(key.address, [nothing(key.address)]))
  const { outcomes } = await world.send([first], { delegations: [await world.delegate(key)] })
  expect(outcomes).toMatchObject([{ state: 'succeeded' }])
  return { ...(await world.quote(sender, { delegate: false })), key }
}

/** Another sender executes a copy of the signed intent. */
async function copy({ intents, submission }: TestQuote) {
  const delegations = submission.delegations.map(({ delegation }) => delegation)
  return world.send(intents, { delegations, from: world.thief })
}

it('an owner cancels a signature by using up its nonce, without the service, and no copy moves any funds', async () => {
  const quote = await quoteDelegated()
  await (
    await cancel(quote.key, quote.intents[0]!.intentNonce)
  )()
  const { outcomes } = await copy(quote)
  expect(outcomes.filter(({ state }) => state === 'succeeded')).toEqual([])
  expect(await world.balanceOf(quote.recipient)).toBe(0n)
  const service = await world.start()
  await expect(service.submit(quote.accountId, quote.submission)).rejects.toMatchObject({
    code: 'SIMULATION_FAILED',
  })
})

it('an owner without coins cancels by an empty intent of the same nonce, which any sender may execute', async () => {
  const quote = await quoteDelegated()
  const { eoa, intentNonce } = quote.intents[0]!
  const instead = await world.sign(quote.key, world.draft(eoa, [nothing(eoa)], { intentNonce }))
  expect((await world.send([instead], { from: world.thief })).outcomes).toMatchObject([
    { state: 'succeeded' },
  ])
  const { outcomes } = await copy(quote)
  expect(outcomes.filter(({ state }) => state === 'succeeded')).toEqual([])
  expect(await world.balanceOf(quote.recipient)).toBe(0n)
})

it('the first transaction of an address that never delegated voids the delegation that it signed', async () => {
  const sender = await world.openSender(1)
  const quote = await world.quote(sender)
  await (
    await sendToSelf(sender.keys[0]!, '0x')
  )()
  await copy(quote).catch(() => null)
  expect(await world.balanceOf(quote.recipient)).toBe(0n)
})
