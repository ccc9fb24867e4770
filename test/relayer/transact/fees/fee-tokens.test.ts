import { getContractAddress, parseEther, parseUnits, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { recordPrices } from '../../../../db/market/prices/token-prices.ts'
import { countPaidQuotes } from '../../../../db/transact/intents-submit.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { parseUsd } from '../../../../relayer/market/prices/usd.ts'
import type { Quote } from '../../../../schema/client/quotes/send.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { expectNothingLeaked } from '../../../harness/expect-nothing-leaked.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { startPriceProvider, type PriceProvider } from '../../market/prices/start-price-provider.ts'
import { compileSolidity } from '../../market/tokens/compile-solidity.ts'
import { startSendingService } from '../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../submissions/open-wallet-sender.ts'

const issuer = deriveAccounts().clients[6]!
/** The first contract that the issuer will create; no pool has it. */
const junk = getContractAddress({ from: issuer.address, nonce: 0n })
const { CaseToken } = compileSolidity(new URL('../OddTokens.sol', import.meta.url))

let provider: PriceProvider
let service: TestService
let payer: Payer
let strict: Address
let referrer: WalletSender
let sender: WalletSender

/** The provider's price of a token, of the given age in seconds. */
const price = (address: Address, usd: string, ageSeconds = 0) =>
  recordPrices(service.database.pool, 'coingecko', [
    {
      chainId: payer.chain.chainId,
      address,
      usd: parseUsd(usd),
      observedAt: new Date(Date.now() - ageSeconds * 1_000),
    },
  ])

/** Moves the clock of this process, and so of the service in it, until the test ends. */
function passMinute(): void {
  const now = Date.now
  const moved = vi.spyOn(Date, 'now').mockImplementation(() => now() + 61_000)
  onTestFinished(() => moved.mockRestore())
}

const stranger = () => privateKeyToAddress(generatePrivateKey())
const ask = (token: Address, amount: bigint, destinationAddress = stranger()) =>
  sender.post('/quote', {
    type: 'send',
    chainId: payer.chain.chainId,
    token,
    amount: String(amount),
    destinationAddress,
  }) as Promise<{ status: number; body: Quote }>
const refused = (message: string) => ({ status: 400, body: { code: 'FEE_TOKEN_UNPRICED', message } })

beforeAll(async () => {
  provider = await startPriceProvider()
  service = await startSendingService({
    referrals: { referrerShareBps: 5_000, referredDiscountBps: 0, minimumRewardUsdCents: 0 },
    transact: { serviceFeeBps: 100 },
    prices: {
      refreshMs: 1_000,
      sources: [
        {
          kind: 'coingecko',
          url: provider.url,
          requestsPerMinute: 10_000,
          platforms: { 31337: { platform: 'devnet' } },
        },
      ],
    },
  })
  payer = await openPayer(service, 5)
  strict = payer.chain.strictToken.address
  const { sender: deployer, reader } = connectWallet(payer.chain, issuer.privateKey)
  await reader.waitForTransactionReceipt({ hash: await deployer.deployContract({ ...CaseToken!, args: [] }) })
  ;[referrer, sender] = [await openWalletSender(service, payer), await openWalletSender(service, payer)]
  const { code } = (await referrer.post('/referrals/profile', {})).body as { code: string }
  const { accountId } = sender.client
  expect(await service.services.referrals.apply(service.database.pool, { accountId, code })).toBe(true)

  const [address] = await sender.receiveAll(junk, [0n])
  const mint = { address: junk, abi: CaseToken!.abi, functionName: 'mint' }
  const hash = await deployer.writeContract({ ...mint, args: [address, parseEther('1000000')] })
  await reader.waitForTransactionReceipt({ hash })
  await waitUntilIndexed(service, payer)
  await sender.receiveAll(strict, [parseUnits('1000', 6)])
})
afterAll(async () => {
  await service?.stop()
  await provider?.stop()
})

it('a token with a provider’s price and without pools pays no fee, and its issuer gets no free transaction', async () => {
  await price(junk, '1')
  expect(await ask(junk, parseEther('900000'))).toMatchObject(
    refused('CASE is not listed and its pools are not deep enough, so fees cannot be paid in it'),
  )
  await expectNothingLeaked(service.database.pool)
  const { body: summary } = await referrer.get('/referrals/summary')
  expect(summary).toMatchObject({ totalEarnedUsd: '0.00' })
})

it('a token with deep pools pays its fee, and the books count none of it', async () => {
  await price(strict, '1')
  const { status, body: quote } = await ask(strict, parseUnits('500', 6))
  expect(status, JSON.stringify(quote)).toBe(200)
  expect((await sender.post('/submit', await sender.sign(quote))).status).toBe(200)
  await expect
    .poll(async () => (await sender.get(`/relay-status/${quote.quoteId}`)).body, { timeout: 60_000 })
    .toMatchObject({ status: 'confirmed' })
  const booked = await service.database.pool.one(
    sql.type(z.object({ listed: z.boolean(), usd: z.bigint().nullable(), fee: z.bigint() }))`
      select fee_listed as listed, service_fee_usd_micros as usd, service_fee as fee from quote
      where id = ${quote.quoteId}`,
  )
  expect(booked).toEqual({ listed: false, usd: null, fee: parseUnits('5', 6) })
  const earnings = await service.database.pool.anyFirst(sql.type(z.object({ quoteId: z.string() }))`
    select quote_id as "quoteId" from referral_earning`)
  expect(earnings).toEqual([])
  // Its gas counts as unpaid, and the account is proven by nothing.
  const lost = await service.database.pool.anyFirst(
    sql.type(z.object({ gas: z.bigint() }))`select gas from gas_lost`,
  )
  expect(lost).toEqual([expect.any(BigInt)])
  expect(await countPaidQuotes(service.database.pool, sender.client.accountId, 5)).toBe(0)
})

it('a token whose pools would give far less than its price pays no fee', async () => {
  await price(strict, '2')
  await sender.receiveAll(strict, [parseUnits('1000', 6)])
  // A measurement counts for a minute.
  passMinute()
  expect(await ask(strict, parseUnits('500', 6))).toMatchObject(
    refused('TSTRICT is not listed and its pools are not deep enough, so fees cannot be paid in it'),
  )
})

it('a price that is too old for fees is none, though it is still shown', async () => {
  const token = payer.chain.tokens[0]!.address
  await sender.receiveAll(token, [parseUnits('1000', 6)])
  await price(token, '1', 3_600)
  const tooOld = refused('The price of TUSD is too old for fees to be paid in it')
  expect(await ask(token, parseUnits('500', 6))).toMatchObject(tooOld)
  await price(token, '1')
  let quote: Quote | undefined
  // Prices are remembered for a moment.
  await expect
    .poll(async () => {
      const { status, body } = await ask(token, parseUnits('500', 6))
      quote = body
      return status
    })
    .toBe(200)
  if (!quote) throw new Error('nothing was quoted')
  const signed = await sender.sign(quote)
  await service.database.pool.query(sql.typeAlias('void')`
    update token_price set observed_at = now() - interval '1 hour' where address = ${token}`)
  await expect.poll(() => ask(token, 1n)).toMatchObject(tooOld)
  expect(await sender.post('/submit', signed)).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_REFRESH_REQUIRED' },
  })
})
