import { getAddress, parseEther, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../../db/connect-database.ts'
import type { WalletSender } from '../../../submissions/open-wallet-sender.ts'
import { addressIn, allowanceOf, balanceOf, bridgeOnce } from './bridge-once.ts'
import { callsFailedIn, fill } from './fill-deposits.ts'
import { feeOf } from './open-bridged-chains.ts'
import { dollars, sanction, spendOnPool, startBridgeWorld, type BridgeWorld } from './start-bridge-world.ts'

let world: BridgeWorld
let alice: WalletSender

beforeAll(async () => {
  world = await startBridgeWorld()
  alice = await world.openSender()
})
afterAll(() => world?.[Symbol.asyncDispose]())

const bridge = (body: Record<string, unknown>) => bridgeOnce(world, alice, body)
const ask = (body: Record<string, unknown>) =>
  alice.post('/quote', {
    type: 'swap',
    chainId: world.origin.chainId,
    tokenOutChainId: world.destination.chainId,
    ...body,
  })
const orderOf = (quoteId: string) =>
  world.service.database.pool.one(sql.type(z.record(z.string(), z.unknown()))`
    select depositor, deposit_recipient, input_amount, bridged_amount, quote_timestamp::int8, fill_deadline::int8,
      source_amount, minimum_output, output_token
    from bridge_order where quote_id = ${quoteId}::uuid`)
const onDestination = (token: Address, owner: string) =>
  balanceOf(world.destination.payer, token, owner as Address)

it('the coin reaches a fresh address of the other chain as coin, to the unit that was signed', async () => {
  const { origin, destination } = world
  const [funding] = await alice.receiveAll(zeroAddress, [parseEther('2')])
  const amount = parseEther('1')
  const asked = { tokenIn: zeroAddress, tokenOut: zeroAddress, amountIn: String(amount) }
  const { quote, deposit } = await bridge(asked)
  const expected = amount - feeOf(amount)
  expect(quote).toMatchObject({
    routing: 'BRIDGE',
    bridgeProvider: 'across',
    expectedOutput: String(expected),
    minimumOutput: String(expected),
    outputToken: zeroAddress,
    outputRecipientOwned: true,
    recoveryRecipient: funding,
    slippageMode: null,
    slippageBps: 0,
    priceImpact: 0,
    estimatedFillTimeMs: 4_000,
    fillDeadline: new Date(deposit.fillDeadline * 1_000).toISOString(),
    selectedFundingSources: [{ address: funding }],
    fundingCaveats: [{ kind: 'output_linked' }],
  })
  const { outputRecipient } = quote
  expect(await orderOf(quote.quoteId)).toEqual({
    depositor: funding,
    deposit_recipient: outputRecipient,
    input_amount: amount,
    bridged_amount: expected,
    quote_timestamp: BigInt(deposit.quoteTimestamp),
    fill_deadline: BigInt(deposit.fillDeadline),
    source_amount: amount,
    minimum_output: expected,
    output_token: zeroAddress,
  })
  expect(outputRecipient).not.toBe(funding)
  expect(addressIn(deposit.depositor)).toBe(funding)
  expect(addressIn(deposit.recipient)).toBe(outputRecipient)
  expect(deposit).toMatchObject({ inputAmount: amount, outputAmount: expected, message: '0x' })
  expect(await balanceOf(origin.payer, zeroAddress, funding!)).toBe(amount - BigInt(quote.fees.total))
  await fill(destination.payer, destination.across, deposit)
  expect(await onDestination(zeroAddress, outputRecipient)).toBe(expected)
})

it('a token is bridged with exactly the agreed loss, and no allowance is left', async () => {
  const { origin, destination } = world
  const [funding] = await alice.receiveAll(origin.dollar, [dollars('1000')])
  const amount = dollars('100')
  const asked = { tokenIn: origin.dollar, tokenOut: destination.dollar, amountIn: String(amount) }
  const { quote, deposit } = await bridge({ ...asked, singleAddress: funding })
  const left = dollars('1000') - amount - BigInt(quote.fees.total)
  expect(await balanceOf(origin.payer, origin.dollar, funding!)).toBe(left)
  expect(await allowanceOf(origin.payer, origin.dollar, funding!, origin.across.spokePool)).toBe(0n)
  await fill(destination.payer, destination.across, deposit)
  expect(await onDestination(destination.dollar, quote.outputRecipient)).toBe(BigInt(quote.minimumOutput))
})

it('a wrapped coin that is wanted arrives wrapped, though bridges pay coins to addresses without a contract', async () => {
  const { destination } = world
  await alice.receiveAll(zeroAddress, [parseEther('2')])
  const asked = { tokenIn: zeroAddress, tokenOut: destination.wrapped, amountIn: String(parseEther('1')) }
  const { quote, deposit } = await bridge(asked)
  expect(quote.routing).toBe('BRIDGE')
  await fill(destination.payer, destination.across, deposit)
  expect(await onDestination(destination.wrapped, quote.outputRecipient)).toBe(BigInt(quote.minimumOutput))
  expect(await onDestination(zeroAddress, quote.outputRecipient)).toBe(0n)
})

it('a token that the bridge does not carry is swapped first, and the signed amount arrives to the unit', async () => {
  const { origin, destination } = world
  const [funding] = await alice.receiveAll(origin.euro, [parseEther('1000')])
  const amount = parseEther('500')
  const asked = { tokenIn: origin.euro, tokenOut: destination.dollar, amountIn: String(amount) }
  const { quote, deposit } = await bridge(asked)
  expect(quote).toMatchObject({
    routing: 'CHAINED',
    slippageMode: 'auto',
    expectedOutput: quote.minimumOutput,
    recoveryRecipient: funding,
  })
  const left = parseEther('1000') - amount - BigInt(quote.fees.total)
  expect(await balanceOf(origin.payer, origin.euro, funding!)).toBe(left)
  // The output above the minimum stays with the funding address, in the token that the bridge takes.
  expect(await balanceOf(origin.payer, origin.dollar, funding!)).toBeGreaterThan(0n)
  const { router } = origin.payer.chain.uniswap
  expect(await allowanceOf(origin.payer, origin.euro, funding!, router)).toBe(0n)
  expect(await balanceOf(origin.payer, origin.dollar, router)).toBe(0n)
  await fill(destination.payer, destination.across, deposit)
  expect(await onDestination(destination.dollar, quote.outputRecipient)).toBe(BigInt(quote.minimumOutput))
})

it('tokens that no bridge carries are swapped on both chains by one signature, and the contracts keep nothing', async () => {
  const { origin, destination } = world
  await alice.receiveAll(origin.euro, [parseEther('1000')])
  const asked = { tokenIn: origin.euro, tokenOut: destination.euro, amountIn: String(parseEther('500')) }
  const { quote, deposit } = await bridge(asked)
  expect(quote.routing).toBe('CHAINED')
  expect(quote.slippageBps).toBeLessThanOrEqual(50)
  const multicallHandler = getAddress(destination.across.multicallHandler)
  expect(addressIn(deposit.recipient)).toBe(multicallHandler)
  await fill(destination.payer, destination.across, deposit)
  expect(await onDestination(destination.euro, quote.outputRecipient)).toBe(BigInt(quote.expectedOutput))
  const { router } = destination.payer.chain.uniswap
  for (const holder of [multicallHandler, router])
    for (const token of [destination.euro, destination.dollar, destination.wrapped, zeroAddress])
      expect(await onDestination(token, holder)).toBe(0n)
  expect(await allowanceOf(destination.payer, destination.dollar, multicallHandler, router)).toBe(0n)
})

it('the recipient gets the bridged token in the same fill if the exchange after the bridge would give too little', async () => {
  const { origin, destination } = world
  await alice.receiveAll(origin.dollar, [dollars('1000')])
  const asked = { tokenIn: origin.dollar, tokenOut: destination.euro, amountIn: String(dollars('500')) }
  const { quote, deposit } = await bridge(asked)
  expect(BigInt(quote.minimumOutput)).toBeLessThan(BigInt(quote.expectedOutput))
  await spendOnPool(destination, dollars('100000'))
  const { logs } = await fill(destination.payer, destination.across, deposit)
  expect(callsFailedIn(logs)).toEqual([quote.outputRecipient])
  expect(await onDestination(destination.euro, quote.outputRecipient)).toBe(0n)
  expect(await onDestination(destination.dollar, quote.outputRecipient)).toBe(deposit.outputAmount)
})

it('a preview predicts the quote, for the most that can be spent and not a unit more', async () => {
  const { origin, destination } = world
  const bob = await world.openSender()
  await bob.receiveAll(origin.euro, [parseEther('100')])
  const pair = { chainId: origin.chainId, tokenOut: destination.euro, tokenOutChainId: destination.chainId }
  const max = await bob.post('/max-spendable', { type: 'swap', token: origin.euro, ...pair })
  expect(max).toMatchObject({ status: 200 })
  const { maxAmount } = z.object({ maxAmount: z.string() }).parse(max.body)
  const asked = { ...pair, tokenIn: origin.euro, amountIn: maxAmount }
  const preview = await bob.post('/swap-preview', asked)
  expect(preview).toMatchObject({ status: 200, body: { routing: 'CHAINED', rateOnly: false } })
  const told = z.object({ expectedOutput: z.string(), minimumOutput: z.string() }).parse(preview.body)
  const more = { type: 'swap', ...asked, amountIn: String(BigInt(maxAmount) + 1n) }
  expect(await bob.post('/quote', more)).toMatchObject({
    status: 400,
    body: { code: 'INSUFFICIENT_FUNDS_FOR_FEES' },
  })
  expect(await bob.post('/quote', { type: 'swap', ...asked })).toMatchObject({ status: 200, body: told })
})

it('a recipient that is sanctioned on the destination chain alone is refused', async () => {
  const { destination } = world
  await alice.receiveAll(zeroAddress, [parseEther('1')])
  const listed = privateKeyToAddress(generatePrivateKey())
  const asked = {
    tokenIn: zeroAddress,
    tokenOut: zeroAddress,
    amountIn: '1000000',
    destinationAddress: listed,
  }
  await sanction(destination.payer, listed)
  expect(await ask(asked)).toMatchObject({ status: 451, body: { code: 'ADDRESS_NOT_SERVED' } })
})

it('a refresh retains recipient and plan, and asks the bridge anew', async () => {
  const { destination } = world
  await alice.receiveAll(zeroAddress, [parseEther('1')])
  const asked = { tokenIn: zeroAddress, tokenOut: zeroAddress, amountIn: '1000000000' }
  const first = await alice.quote({ type: 'swap', tokenOutChainId: destination.chainId, ...asked })
  const before = world.fees.asked.length
  const kept = z.object({ planId: z.string(), outputRecipient: z.string(), recoveryRecipient: z.string() })
  const refreshed = await alice.client.ask<{ quoteId: string }>(
    'POST',
    `/v1/accounts/${alice.client.accountId}/quotes/${first.quoteId}/refresh`,
    {},
    { 'idempotency-key': 'refresh' },
  )
  expect(refreshed).toMatchObject(kept.parse(first))
  expect(world.fees.asked.length).toBe(before + 1)
  await alice.post('/unlock', { quoteId: refreshed.quoteId })
})

it('amounts beyond the bridge’s limits, lying fees and a silent service are refused in the contract’s codes', async () => {
  await alice.receiveAll(zeroAddress, [parseEther('1')])
  const asked = { tokenIn: zeroAddress, tokenOut: zeroAddress, amountIn: '1000000' }
  expect(await ask({ ...asked, amountIn: '999' })).toMatchObject({
    status: 400,
    body: { code: 'AMOUNT_TOO_LOW', minimum: '1000' },
  })
  expect(await ask({ ...asked, amountIn: String(10n ** 21n + 1n) })).toMatchObject({
    status: 400,
    body: { code: 'AMOUNT_TOO_HIGH', maximum: String(10n ** 21n) },
  })
  const { answer } = world.fees
  try {
    for (const fee of [30_001n, 2_000_000n]) {
      world.fees.answer = (target) => {
        const honest = JSON.parse(answer(target)!.body) as Record<string, unknown>
        return { status: 200, body: JSON.stringify({ ...honest, totalRelayFee: { total: String(fee) } }) }
      }
      expect(await ask(asked)).toMatchObject({ status: 502, body: { code: 'SWAP_UNAVAILABLE' } })
    }
    world.fees.answer = () => null
    expect(await ask(asked)).toMatchObject({ status: 502, body: { code: 'SWAP_UNAVAILABLE' } })
  } finally {
    world.fees.answer = answer
  }
  expect(await ask({ ...asked, tokenOutChainId: 999 })).toMatchObject({
    status: 502,
    body: { code: 'SWAP_UNAVAILABLE' },
  })
})

it('the fees service receives pairs, amounts and messages without a recipient, and never an address of an account', async () => {
  const everything = world.fees.asked.map((request) => request.everything.toLowerCase()).join(' ')
  expect(everything).toContain('message=0x')
  const addresses = await world.service.database.pool.any(sql.type(z.object({ address: z.string() }))`
    select substr(lower(address), 3) as address from stealth_address`)
  expect(addresses.length).toBeGreaterThan(5)
  for (const { address } of addresses) expect(everything).not.toContain(address)
})
