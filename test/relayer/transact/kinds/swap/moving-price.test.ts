import { parseAbi, parseEther, parseGwei, zeroAddress, type Address, type Hash } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDescription } from '../../../../devnet/devnet-description.ts'
import type { activities } from '../../../../../schema/activity/model.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'
import type { z } from 'zod'

let service: TestService
let payer: Payer
let alice: WalletSender
let bob: WalletSender
let router: Address
let wrapped: Address
let dollar: Address
let taxed: Address

const ONE = parseEther('1')
const routerAbi = parseAbi([
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap swap) payable returns (uint256)',
])

beforeAll(async () => {
  service = await startSendingService({ transact: { submissions: { maxUnpaid: 1, maxUnpaidSwaps: 20 } } })
  payer = await openPayer(service, 5)
  alice = await openWalletSender(service, payer)
  bob = await openWalletSender(service, payer)
  const [chain] = (await readDescription(service.dataDir)).chains
  if (!chain) throw new Error('a devnet without a chain')
  router = chain.uniswap.router
  wrapped = chain.wrappedNative
  dollar = chain.tokens[0]!.address
  taxed = chain.taxedToken.address
})
afterAll(() => service?.stop())

const control = (method: string, ...params: unknown[]) =>
  payer.wallet.reader.request({ method, params } as never)
const statusOf = async (sender: WalletSender, quoteId: string) =>
  ((await sender.get(`/relay-status/${quoteId}`)).body as { status: string }).status

/** A front-runner pays more gas and moves the price first. */
async function drainThePool(): Promise<void> {
  for (const fee of [500, 3_000])
    await payer.wallet.sender.writeContract({
      address: router,
      abi: routerAbi,
      functionName: 'exactInputSingle',
      args: [
        {
          tokenIn: wrapped,
          tokenOut: dollar,
          fee,
          recipient: payer.wallet.sender.account.address,
          amountIn: 200n * ONE,
          amountOutMinimum: 0n,
          sqrtPriceLimitX96: 0n,
        },
      ],
      value: 200n * ONE,
      gas: 500_000n,
      maxFeePerGas: parseGwei('200'),
      maxPriorityFeePerGas: parseGwei('100'),
    })
}

it('a swap whose pool is drained in its block gives the funds back, harms no other account, and blocks no sending', async () => {
  await alice.receiveAll(zeroAddress, [3n * ONE, 3n * ONE])
  await bob.receiveAll(zeroAddress, [ONE])
  const [to] = (await bob.receiveAll(zeroAddress, [0n])) as [Address]
  const swap = await alice.quote({
    type: 'swap',
    tokenIn: zeroAddress,
    tokenOut: dollar,
    amountIn: String(2n * ONE),
  })
  const payment = await bob.quote({ token: zeroAddress, amount: '1000', destinationAddress: to })
  const [signedSwap, signedPayment] = [await alice.sign(swap), await bob.sign(payment)]
  await control('evm_setAutomine', false)
  try {
    for (const [sender, signed] of [
      [alice, signedSwap],
      [bob, signedPayment],
    ] as const)
      expect(await sender.post('/submit', signed)).toMatchObject({ status: 200 })
    for (const [sender, { quoteId }] of [
      [alice, swap],
      [bob, payment],
    ] as const)
      await expect.poll(() => statusOf(sender, quoteId)).toBe('pending')
    await drainThePool()
  } finally {
    await control('evm_setAutomine', true)
    await control('evm_mine')
  }
  await expect.poll(() => statusOf(alice, swap.quoteId), { timeout: 60_000 }).toBe('failed')
  await expect.poll(() => statusOf(bob, payment.quoteId), { timeout: 60_000 }).toBe('confirmed')

  await waitUntilIndexed(service, payer)
  const { activity } = (await alice.get('/activities')).body as z.input<typeof activities>
  const shown = activity.find(({ quoteId }) => quoteId === swap.quoteId)
  expect(shown?.executionStatus ?? 'failed').toBe('failed')
  // One failed send would stop the account for a day (maxUnpaid: 1); a failed swap stops neither sends nor swaps.
  const again = await alice.quote({ token: zeroAddress, amount: '1000', destinationAddress: to })
  expect(await alice.post('/submit', await alice.sign(again))).toMatchObject({ status: 200 })
  const fresh = await alice.quote({
    type: 'swap',
    tokenIn: zeroAddress,
    tokenOut: dollar,
    amountIn: String(ONE / 10n),
    acknowledgedPriceImpact: 90,
  })
  expect(await alice.post('/submit', await alice.sign(fresh))).toMatchObject({ status: 200 })
  await expect.poll(() => statusOf(alice, fresh.quoteId), { timeout: 60_000 }).toBe('confirmed')
})

it('a token that burns gas once its swap was accepted costs no more than the gas budget', async () => {
  const { reader } = payer.wallet
  await alice.receiveAll(zeroAddress, [30n * ONE])
  const code = await reader.getCode({ address: taxed })
  const swap = { type: 'swap', tokenIn: zeroAddress, tokenOut: taxed, acknowledgedPriceImpact: 90 }
  let lost = 0n
  for (let round = 0; ; round += 1) {
    const quote = await alice.quote({ ...swap, amountIn: String(ONE / 100n) })
    const signed = await alice.sign(quote)
    await control('evm_setAutomine', false)
    const { status, body } = (await alice.post('/submit', signed)) as {
      status: number
      body: Record<string, string>
    }
    if (status !== 200) {
      expect(body).toMatchObject({ code: 'GAS_BUDGET_USED_UP' })
      expect(round).toBeGreaterThan(0)
      break
    }
    await expect.poll(() => statusOf(alice, quote.quoteId)).toMatch(/^(?:pending|failed)$/)
    // A loss of the last two seconds may be found only when the transaction is to be written.
    if ((await statusOf(alice, quote.quoteId)) === 'failed') {
      const { error } = (await alice.get(`/relay-status/${quote.quoteId}`)).body as { error: string }
      expect(error).toContain('GAS_BUDGET_USED_UP')
      expect(round).toBeGreaterThan(0)
      break
    }
    // for (;;) {}
    await control('anvil_setCode', taxed, '0x5b5f56')
    await control('evm_setAutomine', true)
    await control('evm_mine')
    await expect.poll(() => statusOf(alice, quote.quoteId), { timeout: 60_000 }).toBe('failed')
    await control('anvil_setCode', taxed, code)
    const { txHash } = (await alice.get(`/relay-status/${quote.quoteId}`)).body as { txHash: Hash }
    lost += (await reader.getTransactionReceipt({ hash: txHash })).gasUsed
  }
  await control('evm_setAutomine', true)
  // One account may put an eighth of the hour's ten million gas at risk.
  expect(lost).toBeGreaterThan(0n)
  expect(lost).toBeLessThanOrEqual(1_250_000n)
  const [to] = (await bob.receiveAll(zeroAddress, [0n])) as [Address]
  const payment = await alice.quote({ token: zeroAddress, amount: '1000', destinationAddress: to })
  expect(await alice.post('/submit', await alice.sign(payment))).toMatchObject({ status: 200 })
})
