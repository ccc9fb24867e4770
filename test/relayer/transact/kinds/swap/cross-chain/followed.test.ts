import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import type { activities } from '../../../../../../schema/activity/model.ts'
import { relayStatus } from '../../../../../../schema/transact/submit-model.ts'
import { waitUntilIndexed } from '../../../../../harness/chain-actors.ts'
import type { WalletSender } from '../../../submissions/open-wallet-sender.ts'
import { bridgeOnce } from './bridge-once.ts'
import { fill, refund } from './deploy-across.ts'
import { dollars, startBridgeWorld, type BridgeWorld } from './start-bridge-world.ts'

let world: BridgeWorld
let alice: WalletSender

beforeAll(async () => {
  world = await startBridgeWorld()
  alice = await world.openSender()
})
afterAll(() => world?.[Symbol.asyncDispose]())

const bridge = (body: Record<string, unknown>) => bridgeOnce(world, alice, body)
const crossingOf = async (quoteId: string) =>
  relayStatus.parse((await alice.get(`/relay-status/${quoteId}`)).body).bridge
const untilBridge = async (quoteId: string, bridgeStatus: string) =>
  expect.poll(async () => (await crossingOf(quoteId))?.bridgeStatus, { timeout: 60_000 }).toBe(bridgeStatus)

const list = async (search = '') =>
  ((await alice.get(`/activities${search}`)).body as z.input<typeof activities>).activity
const indexed = async () => {
  await waitUntilIndexed(world.service, world.origin.payer)
  await waitUntilIndexed(world.service, world.destination.payer)
}

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
  // The fill is a part of the order, not a payment that was received.
  expect(shown.some(({ txHash }) => txHash === filled.transactionHash)).toBe(false)
})

it('an order that nobody fills expires by the clock of its destination, and its refund is attached to it', async () => {
  const { origin, destination } = world
  await alice.receiveAll(origin.dollar, [dollars('500')])
  const amount = dollars('100')
  const asked = { tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn: String(amount) }
  const { quote, deposit } = await bridge(asked)
  await untilBridge(quote.quoteId, 'confirmed_source')
  const { reader } = destination.payer.wallet
  const { timestamp } = await reader.getBlock()
  const seconds = deposit.fillDeadline - Number(timestamp) + 60
  await reader.request({ method: 'evm_increaseTime', params: [seconds] } as never)
  await reader.request({ method: 'evm_mine', params: [] } as never)
  await untilBridge(quote.quoteId, 'expired')
  await expect(fill(destination.payer, destination.across, deposit)).rejects.toThrow('ExpiredFillDeadline')

  expect((await list()).find(({ quoteId }) => quoteId === quote.quoteId)?.bridge).toMatchObject({
    bridgeStatus: 'expired',
    refundEligibleAt: new Date(deposit.fillDeadline * 1_000).toISOString(),
  })

  const depositor = quote.selectedFundingSources[0]!.address
  const paid = await refund(origin.payer, origin.across, {
    depositor,
    token: origin.dollar,
    amount,
    bundle: 0,
  })
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
