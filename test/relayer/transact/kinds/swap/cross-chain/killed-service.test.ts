import type { Hash } from 'viem'
import { expect, it } from 'vitest'
import { addressIn, balanceOf, bridgeOnce } from './bridge-once.ts'
import { depositsIn, fill } from './fill-deposits.ts'
import { blocksOf } from './reorganize-chain.ts'
import { dollars } from './start-bridge-world.ts'
import { startKillableWorld } from './start-killable-world.ts'
import { askChain, watchOrders } from './watch-orders.ts'

it('orders of a service that was killed complete once each: filled, mined or forgotten by the node meanwhile', async () => {
  await using world = await startKillableWorld()
  const { origin, destination } = world
  const alice = await world.openSender()
  const watched = watchOrders(world, alice)
  await alice.receiveAll(origin.dollar, [dollars('100'), dollars('100'), dollars('100')])
  const asked = { tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn: String(dollars('60')) }
  const deposited = await bridgeOnce(world, alice, asked)

  const blocks = blocksOf(origin)
  await blocks.hold()
  const broadcast = async () => {
    const quote = await alice.quote({ type: 'swap', tokenOutChainId: destination.chainId, ...asked })
    const answer = await alice.post('/submit', await alice.sign(quote))
    expect(answer).toMatchObject({ status: 200, body: { txHash: expect.any(String) as string } })
    return { quoteId: quote.quoteId, txHash: (answer.body as { txHash: Hash }).txHash }
  }
  const [forgotten, mined] = [await broadcast(), await broadcast()]
  await world.restart(async () => {
    await fill(destination.payer, destination.across, deposited.deposit)
    await askChain(origin, 'anvil_dropTransaction', forgotten.txHash)
    await blocks.mine()
    await blocks.release()
  })

  await watched.untilBridge(deposited.quote.quoteId, 'completed')
  for (const { quoteId } of [forgotten, mined]) await watched.untilBridge(quoteId, 'confirmed_source')
  const logs = await origin.payer.wallet.reader.getLogs({
    address: origin.across.spokePool,
    fromBlock: 0n,
  })
  const deposits = depositsIn(logs, origin.chainId)
  const depositors = deposits.map(({ depositor }) => depositor)
  expect(new Set(depositors).size).toBe(3)
  expect(depositors).toHaveLength(3)
  for (const deposit of deposits.slice(1)) await fill(destination.payer, destination.across, deposit)
  for (const { quoteId } of [forgotten, mined]) await watched.untilBridge(quoteId, 'completed')
  for (const { recipient, depositor, outputAmount, inputAmount } of deposits) {
    expect(await balanceOf(destination.payer, destination.dollar, addressIn(recipient))).toBe(outputAmount)
    const left = await balanceOf(origin.payer, origin.dollar, addressIn(depositor))
    // The fees were paid once.
    expect(left).toBeLessThanOrEqual(dollars('100') - inputAmount)
    expect(left).toBeGreaterThan(dollars('100') - inputAmount - dollars('5'))
  }
})
