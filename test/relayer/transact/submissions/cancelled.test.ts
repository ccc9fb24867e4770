import { createWalletClient, encodeFunctionData, http, parseAbi, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { emptySigners } from './empty-signers.ts'
import { startSubmissionWorld, type SubmissionWorld, type TestQuote } from './start-submission-world.ts'

/** What PROTOCOL.md says of taking a signature back. */
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

/** The owner's own transaction, from the address to itself. */
async function sendToSelf(key: PrivateKeyAccount, data: Hex): Promise<void> {
  const owner = createWalletClient({ account: key, transport: http(world.config.rpcUrls[0]) })
  await world.ask('anvil_setBalance', key.address, '0xde0b6b3a7640000')
  const hash = await owner.sendTransaction({ chain: null, to: key.address, data })
  expect(await world.reader.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
}
const cancel = (key: PrivateKeyAccount, nonce: bigint) =>
  sendToSelf(key, encodeFunctionData({ abi: account, functionName: 'invalidateNonce', args: [nonce] }))

/** A quote whose address delegates by an intent that was executed before. */
async function quoteDelegated(): Promise<TestQuote & { key: PrivateKeyAccount }> {
  const key = await world.openAccount(10n)
  const first = await world.sign(key, world.draft(key.address, [world.pay(world.collector, 10n)]))
  const { outcomes } = await world.send([first], { delegations: [await world.delegate(key)] })
  expect(outcomes).toMatchObject([{ state: 'succeeded' }])
  const sender = await world.openSender(1)
  const [own] = sender.keys
  await world.send([await world.sign(own!, world.draft(own!.address, []))], {
    delegations: [await world.delegate(own!)],
  })
  return { ...(await world.quote(sender, { delegate: false })), key: own! }
}

/** Somebody who copied what was signed sends it. */
async function copy({ intents, submission }: TestQuote) {
  const delegations = submission.delegations.map(({ delegation }) => delegation)
  return world.send(intents, { delegations, from: world.thief })
}

it('an owner takes a signature back by using its nonce up, without the service, and no copy moves anything', async () => {
  const quote = await quoteDelegated()
  await cancel(quote.key, quote.intents[0]!.intentNonce)
  const { outcomes } = await copy(quote)
  expect(outcomes.filter(({ state }) => state === 'succeeded')).toEqual([])
  expect(await world.balanceOf(quote.recipient)).toBe(0n)
  const service = await world.start()
  await expect(service.submit(quote.accountId, quote.submission)).rejects.toMatchObject({
    code: 'SIMULATION_FAILED',
  })
})

it('an owner without coins has anybody execute an intent of the same nonce that calls nothing', async () => {
  const quote = await quoteDelegated()
  const { eoa, intentNonce } = quote.intents[0]!
  const nothing = await world.sign(quote.key, world.draft(eoa, [], { intentNonce }))
  expect((await world.send([nothing], { from: world.thief })).outcomes).toMatchObject([
    { state: 'succeeded' },
  ])
  const { outcomes } = await copy(quote)
  expect(outcomes.filter(({ state }) => state === 'succeeded')).toEqual([])
  expect(await world.balanceOf(quote.recipient)).toBe(0n)
})

it('the first transaction of an address that never delegated voids the delegation that it signed', async () => {
  const sender = await world.openSender(1)
  const quote = await world.quote(sender)
  await sendToSelf(sender.keys[0]!, '0x')
  await copy(quote).catch(() => null)
  expect(await world.balanceOf(quote.recipient)).toBe(0n)
})

it('a quote that waits fails once its nonce is used up, and its funds are free', async () => {
  const service = await world.start({ config: { sendWaitMs: 100, retryAfterMs: 20 } })
  const quote = await quoteDelegated()
  const giveBack = await emptySigners(world, service)
  await service.submit(quote.accountId, quote.submission)
  await cancel(quote.key, quote.intents[0]!.intentNonce)
  await giveBack()
  world.blocks.keepMining()
  await world.settled()
  expect((await world.quotes()).find(({ id }) => id === quote.quoteId)).toMatchObject({
    status: 'failed',
    live: 0n,
  })
  expect(await world.balanceOf(quote.recipient)).toBe(0n)
})
