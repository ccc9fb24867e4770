import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WalletSender } from '../../../submissions/open-wallet-sender.ts'
import { bridgeOnce } from './bridge-once.ts'
import { fill } from './fill-deposits.ts'
import { refund } from './pay-leaves.ts'
import { dollars, startBridgeWorld, type BridgeWorld } from './start-bridge-world.ts'
import { passTime, watchOrders } from './watch-orders.ts'

type Watched = ReturnType<typeof watchOrders>

let world: BridgeWorld
let alice: WalletSender
let crossingOf: Watched['crossingOf']
let untilBridge: Watched['untilBridge']
let list: Watched['list']
let indexed: Watched['indexed']

beforeAll(async () => {
  world = await startBridgeWorld()
  alice = await world.openSender()
  ;({ crossingOf, untilBridge, list, indexed } = watchOrders(world, alice))
})
afterAll(() => world?.[Symbol.asyncDispose]())

const bridge = (body: Record<string, unknown>) => bridgeOnce(world, alice, body)
it('an order is complete with its own fill, and not with one that only claims its number', async () => {
  const { origin, destination } = world
  await alice.receiveAll(zeroAddress, [parseEther('2')])
  const asked = { tokenIn: zeroAddress, tokenOut: zeroAddress, amountIn: String(parseEther('1')) }
  const { quote, deposit } = await bridge(asked)
  await untilBridge(quote.quoteId, 'confirmed_source')
  await fill(destination.payer, destination.across, { ...deposit, outputAmount: 1n })
  await indexed()
  expect(await crossingOf(quote.quoteId)).toEqual({
    bridgeStatus: 'confirmed_source',
    destTxHash: null,
    refundTxHash: null,
  })
  const filled = await fill(destination.payer, destination.across, deposit)
  await untilBridge(quote.quoteId, 'completed')
  const crossing = { bridgeStatus: 'completed', destTxHash: filled.transactionHash, refundTxHash: null }
  expect(await crossingOf(quote.quoteId)).toEqual(crossing)
  await indexed()
  const shown = await list()
  expect(shown.find(({ quoteId }) => quoteId === quote.quoteId)).toMatchObject({
    kind: 'BRIDGE',
    executionStatus: 'succeeded',
    chainId: origin.chainId,
    bridge: {
      ...crossing,
      sourceTokenAddress: zeroAddress,
      sourceAmount: String(parseEther('1')),
      destTokenAddress: zeroAddress,
      destAmount: quote.expectedOutput,
      destChainId: destination.chainId,
      outputRecipient: quote.outputRecipient,
      outputRecipientIsOwnAddress: true,
      refundEligibleAt: null,
    },
  })
  // The fill belongs to the order; it is not a received payment.
  expect(shown.some(({ txHash }) => txHash === filled.transactionHash)).toBe(false)
})

it('an unfilled order expires by the clock of its destination, and its refund is attached to it', async () => {
  const { origin, destination } = world
  await alice.receiveAll(origin.dollar, [dollars('500')])
  const amount = dollars('100')
  const asked = { tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn: String(amount) }
  const { quote, deposit } = await bridge(asked)
  await untilBridge(quote.quoteId, 'confirmed_source')
  await passTime(destination, deposit.fillDeadline)
  await untilBridge(quote.quoteId, 'expired')
  await expect(fill(destination.payer, destination.across, deposit)).rejects.toThrow('fillRelay was reverted')

  expect((await list()).find(({ quoteId }) => quoteId === quote.quoteId)?.bridge).toMatchObject({
    bridgeStatus: 'expired',
    refundEligibleAt: new Date(deposit.fillDeadline * 1_000).toISOString(),
  })

  const depositor = quote.selectedFundingSources[0]!.address
  const paid = await refund(origin.payer, origin.across, { depositor, token: origin.dollar, amount })
  await untilBridge(quote.quoteId, 'refunded')
  await indexed()
  const shown = await list()
  expect(shown.find(({ quoteId }) => quoteId === quote.quoteId)).toMatchObject({
    kind: 'BRIDGE',
    bridge: {
      bridgeStatus: 'refunded',
      destTxHash: null,
      refundTxHash: paid,
      refundEligibleAt: null,
      destTokenAddress: origin.dollar,
      destAmount: String(amount),
    },
  })
  expect(shown.some(({ txHash }) => txHash === paid)).toBe(false)
})
