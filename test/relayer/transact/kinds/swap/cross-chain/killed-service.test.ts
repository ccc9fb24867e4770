import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hash } from 'viem'
import { expect, it } from 'vitest'
import { controlBlocks } from '../../../../../harness/control-blocks.ts'
import { createServiceProcess } from '../../../../../harness/service-process.ts'
import type { TestService } from '../../../../../harness/start-service.ts'
import { openWalletSender } from '../../../submissions/open-wallet-sender.ts'
import { addressIn, balanceOf, bridgeOnce } from './bridge-once.ts'
import { depositsIn, fill } from './deploy-across.ts'
import { openBridgedChains } from './open-bridged-chains.ts'
import { dollars } from './start-bridge-world.ts'
import { askChain, watchOrders } from './watch-orders.ts'

/** What a killed service held is free for the next one this much later, not a quarter of a minute. */
const SHORT_LEASE = { leaseMs: 2_000 }

it('orders of a service that was killed complete once each: filled, mined or forgotten by the node meanwhile', async () => {
  const bridged = await openBridgedChains({
    settings: { broadcast: { ...SHORT_LEASE, resendAfterMs: 500 }, indexer: SHORT_LEASE },
  })
  const { origin, destination, dataDir, database } = bridged
  const file = join(dataDir, 'service.json')
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  await writeFile(file, JSON.stringify(bridged.settings, asText))
  const running = await createServiceProcess({ CONFIG: file })
  try {
    await running.start()
    const service = { url: running.url, database } as TestService
    const world = { ...bridged, service }
    const alice = await openWalletSender(service, origin.payer)
    const watched = watchOrders(world, alice)
    await alice.receiveAll(origin.dollar, [dollars('100'), dollars('100'), dollars('100')])
    const asked = { tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn: String(dollars('60')) }
    const deposited = await bridgeOnce(world, alice, asked)

    const blocks = controlBlocks((method, ...params) => askChain(origin, method, ...params))
    await blocks.hold()
    const broadcast = async () => {
      const quote = await alice.quote({ type: 'swap', tokenOutChainId: destination.chainId, ...asked })
      const answer = await alice.post('/submit', await alice.sign(quote))
      expect(answer).toMatchObject({ status: 200, body: { txHash: expect.any(String) as string } })
      return { quoteId: quote.quoteId, txHash: (answer.body as { txHash: Hash }).txHash }
    }
    const [forgotten, mined] = [await broadcast(), await broadcast()]
    await running.kill()

    await fill(destination.payer, destination.across, deposited.deposit)
    await askChain(origin, 'anvil_dropTransaction', forgotten.txHash)
    await blocks.mine()
    await blocks.release()
    await running.start()

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
  } finally {
    await running.kill()
    await bridged.stop()
  }
})
