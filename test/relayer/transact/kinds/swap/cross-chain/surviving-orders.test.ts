import { concat, numberToHex, parseEther, zeroAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WalletSender } from '../../../submissions/open-wallet-sender.ts'
import { balanceOf, bridgeOnce } from './bridge-once.ts'
import { depositLike, fill } from './fill-deposits.ts'
import { expectAsFresh } from './expect-as-fresh.ts'
import { failingCall, fillAmong, transferCall } from './fill-among.ts'
import { fillSlowly, refund, requestSlowFill } from './pay-leaves.ts'
import { dollars, startBridgeWorld, type BridgeWorld } from './start-bridge-world.ts'
import { askChain, passTime, takeDeferred, timeOf, watchOrders } from './watch-orders.ts'

let world: BridgeWorld
let alice: WalletSender
let watched: ReturnType<typeof watchOrders>

beforeAll(async () => {
  world = await startBridgeWorld()
  alice = await world.openSender()
  watched = watchOrders(world, alice)
  await alice.receiveAll(
    world.origin.dollar,
    Array.from({ length: 8 }, () => dollars('100')),
  )
})
afterAll(() => world?.[Symbol.asyncDispose]())

const bridge = (body: Record<string, unknown>) => bridgeOnce(world, alice, body)
const bridgeDollars = (amount: bigint) =>
  bridge({ tokenIn: world.origin.dollar, tokenOut: world.destination.dollar, amountIn: String(amount) })
const itemOf = async (quoteId: string) => (await watched.list()).find((item) => item.quoteId === quoteId)
const somebody = () => privateKeyToAddress(generatePrivateKey())

it('a slow fill, which the SpokePool pays itself, completes an order, and asking for it does not', async () => {
  const { destination } = world
  const { quote, deposit } = await bridgeDollars(dollars('50'))
  await watched.untilBridge(quote.quoteId, 'confirmed_source')
  await requestSlowFill(destination.payer, destination.across, deposit)
  await watched.indexed()
  expect(await watched.crossingOf(quote.quoteId)).toMatchObject({ bridgeStatus: 'confirmed_source' })
  // No filler takes a fee of a slow fill.
  const updatedOutput = deposit.inputAmount - 1n
  await destination.payer.payToken(destination.dollar, destination.across.spokePool, updatedOutput)
  const filled = await fillSlowly(destination.payer, destination.across, { relay: deposit, updatedOutput })
  await watched.untilBridge(quote.quoteId, 'completed')
  expect(await itemOf(quote.quoteId)).toMatchObject({
    executionStatus: 'succeeded',
    bridge: { destTxHash: filled.transactionHash, destAmount: String(updatedOutput) },
  })
})

/** Emits the event in its calldata: four topics, then the data. */
const ECHO = '0x60803603806080600037606035604035602035600035846000a400'

it('neither a deposit in our name, nor its fill, nor a fill that another contract reports moves an order', async () => {
  const { origin, destination } = world
  const { quote, deposit } = await bridgeDollars(dollars('50'))
  await depositLike(origin.payer, origin.across, destination.chainId, deposit)
  const strangers = await world.findDeposit()
  expect({ ...strangers, depositId: deposit.depositId }).toEqual(deposit)
  expect(strangers.depositId).not.toBe(deposit.depositId)
  const { logs } = await fill(destination.payer, destination.across, strangers)

  const pool = destination.across.spokePool.toLowerCase()
  const { topics, data } = logs.find(({ address }) => address.toLowerCase() === pool)!
  const said: Hex[] = [...topics]
  said[2] = numberToHex(deposit.depositId, { size: 32 })
  const liar = somebody()
  await askChain(destination, 'anvil_setCode', liar, ECHO)
  const { sender, reader } = destination.payer.wallet
  const hash = await sender.sendTransaction({ to: liar, data: concat([...said, data]) })
  const [event] = (await reader.waitForTransactionReceipt({ hash })).logs
  expect(event).toMatchObject({ data, topics: said })

  await watched.indexed()
  expect(await watched.crossingOf(quote.quoteId)).toEqual({
    bridgeStatus: 'confirmed_source',
    destTxHash: null,
    refundTxHash: null,
  })
  await fill(destination.payer, destination.across, deposit)
  await watched.untilBridge(quote.quoteId, 'completed')
})

it('activity shows other transfers in the transaction of a fill, without the fill', async () => {
  const { dollar } = world.destination
  const { quote, deposit } = await bridgeDollars(dollars('20'))
  const recipient = quote.outputRecipient
  const [other] = await alice.receiveAll(dollar, [0n])
  const calls = [transferCall(dollar, recipient, 7n), transferCall(dollar, other!, 9n)]
  const { transactionHash } = await fillAmong(world, deposit, { calls, extra: 16n })
  await watched.untilBridge(quote.quoteId, 'completed')
  await watched.indexed()
  expect(await itemOf(quote.quoteId)).toMatchObject({ bridge: { destAmount: String(deposit.outputAmount) } })
  const item = (await watched.search(recipient)).find(({ txHash }) => txHash === transactionHash)
  expect(item).toMatchObject({ kind: 'RECEIVE' })
  expect(item?.transfers.map(({ toAddress, value }) => [toAddress, value])).toEqual([
    [recipient, '7'],
    [other, '9'],
  ])
})

it('a filler cannot make it look as if the exchange for another order had failed', async () => {
  const { origin, destination } = world
  const stranger = somebody()
  const { quote, deposit } = await bridge({
    tokenIn: origin.dollar,
    tokenOut: destination.euro,
    amountIn: String(dollars('50')),
    destinationAddress: stranger,
  })
  const lie = failingCall(destination.across.multicallHandler, destination.dollar, stranger)
  await fillAmong(world, deposit, { calls: [lie] })
  await watched.untilBridge(quote.quoteId, 'completed')
  expect(await balanceOf(destination.payer, destination.euro, stranger)).toBeGreaterThan(0n)
  expect(await itemOf(quote.quoteId)).toMatchObject({
    executionStatus: 'succeeded',
    bridge: { destTokenAddress: destination.euro, outputRecipient: stranger },
  })
})

it('one payment of the wrapped coin refunds two orders of an address, and a smaller one before it refunds none', async () => {
  const { origin, destination } = world
  const [funding] = await alice.receiveAll(zeroAddress, [parseEther('3')])
  const asked = { tokenIn: zeroAddress, tokenOut: zeroAddress, singleAddress: funding }
  const orders = [
    await bridge({ ...asked, amountIn: String(parseEther('1')) }),
    await bridge({ ...asked, amountIn: String(parseEther('0.5')) }),
  ]
  await passTime(destination, Math.max(...orders.map(({ deposit }) => deposit.fillDeadline)))
  for (const { quote } of orders) await watched.untilBridge(quote.quoteId, 'expired')
  const owed = { depositor: funding!, token: origin.wrapped }
  await origin.payer.payToken(origin.wrapped, origin.across.spokePool, parseEther('0.25'))
  await refund(origin.payer, origin.across, { ...owed, amount: parseEther('0.25') })
  await watched.indexed()
  for (const { quote } of orders)
    expect(await watched.crossingOf(quote.quoteId)).toMatchObject({ bridgeStatus: 'expired' })
  const paid = await refund(origin.payer, origin.across, { ...owed, amount: parseEther('1.5') })
  for (const { quote } of orders) await watched.untilBridge(quote.quoteId, 'refunded')
  await watched.indexed()
  for (const { quote, deposit } of orders)
    expect(await itemOf(quote.quoteId)).toMatchObject({
      bridge: {
        refundTxHash: paid,
        destTxHash: null,
        destTokenAddress: origin.wrapped,
        destAmount: String(deposit.inputAmount),
        refundEligibleAt: null,
      },
    })
  expect((await watched.list()).some(({ txHash }) => txHash === paid)).toBe(false)
})

/** Answers every call with a large number, which makes each transfer count as failed. */
const PAYS_NOBODY = '0x600160801b60005260206000f3'

it('a refund that could not be paid refunds an order only when its depositor takes it', async () => {
  const { origin, destination } = world
  const { quote, deposit } = await bridgeDollars(dollars('40'))
  await passTime(destination, deposit.fillDeadline)
  await watched.untilBridge(quote.quoteId, 'expired')
  const depositor = quote.selectedFundingSources[0]!.address
  const code = await askChain(origin, 'eth_getCode', origin.dollar, 'latest')
  await askChain(origin, 'anvil_setCode', origin.dollar, PAYS_NOBODY)
  await refund(origin.payer, origin.across, {
    depositor,
    token: origin.dollar,
    amount: deposit.inputAmount,
  })
  await askChain(origin, 'anvil_setCode', origin.dollar, code)
  await watched.indexed()
  expect(await watched.crossingOf(quote.quoteId)).toMatchObject({
    bridgeStatus: 'expired',
    refundTxHash: null,
  })
  const before = await balanceOf(origin.payer, origin.dollar, depositor)
  const taken = await takeDeferred(origin, depositor)
  expect(await balanceOf(origin.payer, origin.dollar, depositor)).toBe(before + deposit.inputAmount)
  await watched.untilBridge(quote.quoteId, 'refunded')
  expect(await watched.crossingOf(quote.quoteId)).toMatchObject({ refundTxHash: taken })
})

it('clocks two hours apart, either way, leave orders valid, and the destination’s clock says when they expire', async () => {
  const { origin, destination } = world
  expect((await timeOf(destination)) - (await timeOf(origin))).toBeGreaterThan(7_200)
  await watched.indexed()
  const ahead = await bridgeDollars(dollars('10'))
  await watched.untilBridge(ahead.quote.quoteId, 'confirmed_source')
  await fill(destination.payer, destination.across, ahead.deposit)
  await watched.untilBridge(ahead.quote.quoteId, 'completed')

  await passTime(origin, (await timeOf(destination)) + 7_200)
  // Intents live for minutes by the chain's clock, which the service reads from its newest block.
  await watched.indexed()
  const [late, lost] = [await bridgeDollars(dollars('10')), await bridgeDollars(dollars('10'))]
  // Long past by the origin's clock.
  await passTime(origin, lost.deposit.fillDeadline + 60)
  await watched.indexed()
  for (const { quote } of [late, lost])
    expect(await watched.crossingOf(quote.quoteId)).toMatchObject({ bridgeStatus: 'confirmed_source' })
  await fill(destination.payer, destination.across, late.deposit)
  await watched.untilBridge(late.quote.quoteId, 'completed')
  await passTime(destination, lost.deposit.fillDeadline)
  await watched.untilBridge(lost.quote.quoteId, 'expired')
})

it('an index that begins anew finds the same, although the bridge is no longer configured', async () => {
  const { quote, deposit } = await bridgeDollars(dollars('10'))
  await fill(world.destination.payer, world.destination.across, deposit)
  await watched.untilBridge(quote.quoteId, 'completed')
  await watched.indexed()
  await expectAsFresh(world, (config) => ({
    ...config,
    chains: config.chains.map((chain) => ({ ...chain, venues: { uniswap: chain.venues.uniswap } })),
  }))
})

it('an index that begins anew finds the same, although another SpokePool and Orchestrator are configured', async () => {
  await expectAsFresh(world, (config) => ({
    ...config,
    chains: config.chains.map(({ sending, venues, ...chain }) => ({
      ...chain,
      ...(sending && { sending: { ...sending, orchestrator: somebody() } }),
      venues: {
        ...venues,
        ...(venues.across && { across: { ...venues.across, spokePool: somebody() } }),
      },
    })),
  }))
})
