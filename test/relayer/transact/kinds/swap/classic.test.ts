import { randomUUID } from 'node:crypto'
import { erc20Abi, parseAbi, parseEther, parseUnits, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { activities } from '../../../../../schema/activity/model.ts'
import { quote as quoteShape } from '../../../../../schema/transact/quote-model.ts'
import type { Quote } from '../../../../../schema/client/quotes/send.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import { readDescription } from '../../../../devnet/devnet-description.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'

let service: TestService
let payer: Payer
let alice: WalletSender
let dollar: Address
let euro: Address
let taxed: Address
let strict: Address
let wrapped: Address
let router: Address

const ONE = parseEther('1')
const dollars = (amount: string) => parseUnits(amount, 6)

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  alice = await openWalletSender(service, payer)
  const [chain] = (await readDescription(service.dataDir)).chains
  if (!chain) throw new Error('a devnet without a chain')
  ;[dollar, euro] = chain.tokens.map(({ address }) => address) as [Address, Address]
  taxed = chain.taxedToken.address
  strict = chain.strictToken.address
  wrapped = chain.wrappedNative
  router = chain.uniswap.router
})
afterAll(() => service?.stop())

const balanceOf = (token: Address, address: Address) =>
  token === zeroAddress
    ? payer.wallet.reader.getBalance({ address })
    : payer.wallet.reader.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [address],
      })
const allowanceOf = (token: Address, owner: Address) =>
  payer.wallet.reader.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, router],
  })

const ask = (body: Record<string, unknown>) =>
  alice.post('/quote', { type: 'swap', chainId: payer.chain.chainId, ...body }) as Promise<{
    status: number
    body: Record<string, unknown>
  }>

/** Members that a swap's quote has and a send's has not. */
const swapAnswer = z.object({ slippageBps: z.int() })

const refresh = (quoteId: string) =>
  alice.client.ask<Quote>(
    'POST',
    `/v1/accounts/${alice.client.accountId}/quotes/${quoteId}/refresh`,
    {},
    {
      'idempotency-key': randomUUID(),
    },
  )

async function untilEnded(quoteId: string): Promise<string> {
  let status = ''
  await expect
    .poll(
      async () => {
        const { body } = await alice.get(`/relay-status/${quoteId}`)
        status = (body as { status: string }).status
        return ['confirmed', 'failed'].includes(status)
      },
      { timeout: 60_000 },
    )
    .toBe(true)
  return status
}

/** Exchanges this many native coins for dollars as a stranger, which moves the price of the pools. */
async function moveThePrice(coins: bigint): Promise<void> {
  const hash = await payer.wallet.sender.writeContract({
    address: router,
    abi: parseAbi([
      'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
      'function exactInputSingle(Swap swap) payable returns (uint256)',
    ]),
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: wrapped,
        tokenOut: dollar,
        fee: 500,
        recipient: payer.wallet.sender.account.address,
        amountIn: coins,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      },
    ],
    value: coins,
  })
  await payer.wallet.reader.waitForTransactionReceipt({ hash })
}

describe('every kind of token is swapped as the quote says', () => {
  const cases = [
    ['native coins into dollars', () => [zeroAddress, ONE / 2n, dollar]],
    ['dollars into native coins', () => [dollar, dollars('900'), zeroAddress]],
    ['dollars into euros', () => [dollar, dollars('700'), euro]],
    ['euros into native coins over several pools', () => [euro, parseEther('600'), zeroAddress]],
    ['native coins into a token that keeps a part of every transfer', () => [zeroAddress, ONE / 4n, taxed]],
    ['dollars into a token that refuses to replace an allowance', () => [dollar, dollars('500'), strict]],
  ] as const
  it.each(cases)('%s', async (_, choose) => {
    const [tokenIn, amountIn, tokenOut] = choose() as [Address, bigint, Address]
    await alice.receiveAll(tokenIn, [2n * amountIn])
    const signed = await alice.quote({ type: 'swap', tokenIn, tokenOut, amountIn: String(amountIn) })
    const quote = quoteShape.parse(signed)
    const { slippageBps } = swapAnswer.parse(signed)
    const [{ address: funding } = { address: zeroAddress }] = quote.selectedFundingSources
    const before = await balanceOf(tokenIn, funding)
    const expected = BigInt(quote.expectedOutput)
    const minimum = BigInt(quote.minimumOutput)
    expect(quote).toMatchObject({ routing: 'CLASSIC', slippageMode: 'auto', outputRecipientOwned: true })
    expect(minimum).toBe((expected * BigInt(10_000 - slippageBps)) / 10_000n)
    expect(quote.fundingCaveats).toContainEqual({ kind: 'output_linked' })

    expect(await alice.post('/submit', await alice.sign(signed))).toMatchObject({ status: 200 })
    expect(await untilEnded(quote.quoteId)).toBe('confirmed')
    const got = await balanceOf(tokenOut, quote.outputRecipient)
    expect(got).toBeGreaterThanOrEqual(minimum)
    expect(got).toBe(expected)
    expect(await balanceOf(tokenIn, funding)).toBe(before - BigInt(quote.amountIn))
    if (tokenIn !== zeroAddress) expect(await allowanceOf(tokenIn, funding)).toBe(0n)
    for (const token of [tokenIn, tokenOut]) expect(await balanceOf(token, router)).toBe(0n)

    await waitUntilIndexed(service, payer)
    const { body } = await alice.get('/activities')
    const { activity } = body as z.input<typeof activities>
    expect(activity.find(({ quoteId }) => quoteId === quote.quoteId)).toMatchObject({
      kind: 'SWAP',
      executionStatus: 'succeeded',
      swap: {
        sourceTokenAddress: tokenIn,
        sourceAmount: String(amountIn),
        destTokenAddress: tokenOut,
        destAmount: String(got),
        outputRecipient: quote.outputRecipient,
      },
    })
  })
})

it('a price that moved against the user, or in a quote’s favour, asks for a refresh with the same recipient and plan', async () => {
  await alice.receiveAll(zeroAddress, [2n * ONE])
  const request = { tokenIn: zeroAddress, tokenOut: dollar, amountIn: String(ONE) }
  const first = await alice.quote({ type: 'swap', ...request })
  const kept = z.object({ outputRecipient: z.string(), planId: z.uuid() })
  await moveThePrice(parseEther('60'))
  expect(await alice.post('/submit', await alice.sign(first))).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_REFRESH_REQUIRED' },
  })
  const second = await refresh(first.quoteId)
  expect(kept.parse(second)).toEqual(kept.parse(first))
  expect(await alice.post('/submit', await alice.sign(second))).toMatchObject({ status: 200 })
  expect(await untilEnded(second.quoteId)).toBe('confirmed')
})

it('a swap that is sure to fail, or that would give funds away, is refused before anything is signed', async () => {
  await alice.receiveAll(zeroAddress, [300n * ONE])
  const request = { tokenIn: zeroAddress, tokenOut: taxed, amountIn: String(ONE / 10n) }
  const tooLow = await ask({ ...request, slippageMode: 'custom', slippageBps: 10 })
  expect(tooLow).toMatchObject({ status: 400, body: { code: 'SLIPPAGE_TOO_LOW', requestedSlippageBps: 10 } })
  expect(Number(tooLow.body['recommendedSlippageBps'])).toBeGreaterThan(10)
  expect(await ask({ ...request, slippageMode: 'custom', slippageBps: 5_001 })).toMatchObject({
    status: 400,
    body: { code: 'SLIPPAGE_TOO_HIGH' },
  })
  const large = { tokenIn: zeroAddress, tokenOut: euro, amountIn: String(290n * ONE) }
  const refused = await ask(large)
  expect(refused).toMatchObject({ status: 400, body: { code: 'PRICE_IMPACT_TOO_HIGH' } })
  const acknowledgedPriceImpact = Number(refused.body['priceImpact'])
  expect(acknowledgedPriceImpact).toBeGreaterThan(15)
  expect(await ask({ ...large, acknowledgedPriceImpact })).toMatchObject({ status: 200 })
  expect(await ask({ ...request, tokenOut: '0x00000000000000000000000000000000000000aa' })).toMatchObject({
    status: 400,
    body: { code: 'TOKEN_OUT_UNKNOWN' },
  })
})

it('an amount of which nothing would come out is too low, and one without any path has no venue', async () => {
  await alice.receiveAll(zeroAddress, [ONE])
  const request = { tokenIn: zeroAddress, tokenOut: dollar }
  // A unit of the dollar is some 3 · 10^8 wei: for one wei no pool gives anything, and of one unit slippage leaves nothing.
  for (const amountIn of ['1', '500000000'])
    expect(await ask({ ...request, amountIn })).toMatchObject({
      status: 400,
      body: { code: 'AMOUNT_TOO_LOW' },
    })
  // A contract that is in no pool.
  expect(await ask({ tokenIn: zeroAddress, tokenOut: router, amountIn: '1' })).toMatchObject({
    status: 502,
    body: { code: 'SWAP_UNAVAILABLE' },
  })
})

it('the largest possible swap is the rest of the largest address after the same calls', async () => {
  const [single] = (await alice.receiveAll(euro, [parseEther('50')])) as [Address]
  const { status, body } = (await alice.post('/max-spendable', {
    type: 'swap',
    chainId: payer.chain.chainId,
    token: euro,
    tokenOut: dollar,
    spendableAddresses: [single],
  })) as { status: number; body: Record<string, string> }
  expect(status).toBe(200)
  const most = BigInt(body['maxAmount'] ?? 0)
  expect(most).toBeGreaterThan(parseEther('40'))
  const all = { tokenIn: euro, tokenOut: dollar, spendableAddresses: [single] }
  expect(await ask({ ...all, amountIn: String(most + parseEther('1')) })).toMatchObject({ status: 400 })
  expect(await ask({ ...all, amountIn: String(most) })).toMatchObject({ status: 200 })
})
