import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WalletSender } from '../../../submissions/open-wallet-sender.ts'
import { bridgeOnce } from './bridge-once.ts'
import { depositLike, fill } from './fill-deposits.ts'
import { expectAsFresh } from './expect-as-fresh.ts'
import { refund } from './pay-leaves.ts'
import { blocksOf, reorganizeChain } from './reorganize-chain.ts'
import { dollars, startBridgeWorld, type BridgeWorld } from './start-bridge-world.ts'
import { askChain, dumpOrders, passTime, watchOrders } from './watch-orders.ts'

const CONFIRMATIONS = 2

let world: BridgeWorld
let alice: WalletSender
let watched: ReturnType<typeof watchOrders>

beforeAll(async () => {
  world = await startBridgeWorld({
    confirmations: CONFIRMATIONS,
    settings: { broadcast: { resendAfterMs: 500 } },
  })
  alice = await world.openSender()
  watched = watchOrders(world, alice)
  await alice.receiveAll(
    world.origin.dollar,
    Array.from({ length: 4 }, () => dollars('100')),
  )
  await blocksOf(world.origin).mine(CONFIRMATIONS)
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** While blocks keep coming on the origin. */
async function bridgeDollars(text: string) {
  const { origin, destination } = world
  const blocks = blocksOf(origin)
  blocks.keepMining()
  try {
    const asked = { tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn: String(dollars(text)) }
    const made = await bridgeOnce(world, alice, asked)
    await watched.untilBridge(made.quote.quoteId, 'confirmed_source')
    return made
  } finally {
    await blocks.stopMining()
  }
}

const untilCrossing = (quoteId: string, crossing: Record<string, unknown>) =>
  expect.poll(() => watched.crossingOf(quoteId)).toMatchObject(crossing)

it('a fill that reorgs take back leaves its order open, no matter whether it was final', async () => {
  const { destination } = world
  const { quote, deposit } = await bridgeDollars('50')
  const open = { bridgeStatus: 'confirmed_source', destTxHash: null, refundTxHash: null }
  for (const depth of [1, CONFIRMATIONS + 1]) {
    const { transactionHash } = await fill(destination.payer, destination.across, deposit)
    await untilCrossing(quote.quoteId, { bridgeStatus: 'confirmed_source', destTxHash: transactionHash })
    await blocksOf(destination).mine(depth - 1)
    if (depth > CONFIRMATIONS) await watched.untilBridge(quote.quoteId, 'completed')
    await reorganizeChain(destination, depth)
    await untilCrossing(quote.quoteId, open)
  }
  await fill(destination.payer, destination.across, deposit)
  await blocksOf(destination).mine(CONFIRMATIONS)
  await watched.untilBridge(quote.quoteId, 'completed')
})

it('a refund that reorgs take back leaves its order expired, no matter whether it was final', async () => {
  const { origin, destination } = world
  const { quote, deposit } = await bridgeDollars('40')
  const owed = {
    depositor: quote.selectedFundingSources[0]!.address,
    token: origin.dollar,
    amount: deposit.inputAmount,
  }
  await passTime(destination, deposit.fillDeadline)
  await watched.indexed()
  // A fill may still be in a block that is not final.
  expect(await watched.crossingOf(quote.quoteId)).toMatchObject({ bridgeStatus: 'confirmed_source' })
  await blocksOf(destination).mine(CONFIRMATIONS)
  await watched.untilBridge(quote.quoteId, 'expired')
  for (const depth of [1, CONFIRMATIONS + 1]) {
    const refundTxHash = await refund(origin.payer, origin.across, owed)
    await untilCrossing(quote.quoteId, { bridgeStatus: 'expired', refundTxHash })
    await blocksOf(origin).mine(depth - 1)
    if (depth > CONFIRMATIONS) await watched.untilBridge(quote.quoteId, 'refunded')
    await reorganizeChain(origin, depth)
    await untilCrossing(quote.quoteId, { bridgeStatus: 'expired', refundTxHash: null })
  }
  await refund(origin.payer, origin.across, owed)
  await blocksOf(origin).mine(CONFIRMATIONS)
  await watched.untilBridge(quote.quoteId, 'refunded')
})

it('a deposit that a reorg takes back is made again, and a fill of the first one is not its fill', async () => {
  const { origin, destination } = world
  const asked = { tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn: String(dollars('30')) }
  const quote = await alice.quote({ type: 'swap', tokenOutChainId: destination.chainId, ...asked })
  const depositTx = async () =>
    (await dumpOrders(world)).orders.find(({ quote_id }) => quote_id === quote.quoteId)?.['deposit_tx']
  expect(await alice.post('/submit', await alice.sign(quote))).toMatchObject({ status: 200 })
  await expect.poll(depositTx).not.toBeNull()
  const first = await world.findDeposit()
  const early = await fill(destination.payer, destination.across, first)
  await blocksOf(destination).mine(CONFIRMATIONS)
  await watched.untilBridge(quote.quoteId, 'completed')

  const blocks = blocksOf(origin)
  await blocks.hold()
  await askChain(origin, 'anvil_reorg', 1, [])
  await askChain(origin, 'anvil_dropAllTransactions')
  // Another deposit gets the same number: it comes first in its block, also where ours is in the pool again by then.
  const { address } = origin.payer.wallet.account
  const countOf = async (tag: string) =>
    Number(await askChain(origin, 'eth_getTransactionCount', address, tag))
  const made = await countOf('latest')
  const relay = { ...first, depositor: first.recipient, inputAmount: 1_000n, outputAmount: 999n }
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 5n * 10n ** 10n }
  const taking = depositLike(origin.payer, origin.across, destination.chainId, relay, fees)
  await expect.poll(() => countOf('pending')).toBe(made + 1)
  await blocks.mine()
  await taking
  await blocks.release()
  blocks.keepMining()
  await watched.untilBridge(quote.quoteId, 'confirmed_source')
  await blocks.stopMining()
  const again = await world.findDeposit()
  expect(again).toEqual({ ...first, depositId: first.depositId + 1n })
  await watched.indexed()
  expect((await watched.list()).find(({ txHash }) => txHash === early.transactionHash)).toMatchObject({
    kind: 'RECEIVE',
  })
  const filled = await fill(destination.payer, destination.across, again)
  await untilCrossing(quote.quoteId, { destTxHash: filled.transactionHash })

  // The last fill is not final yet.
  await expectAsFresh(world)
  await blocksOf(destination).mine(CONFIRMATIONS)
  await watched.untilBridge(quote.quoteId, 'completed')
})
