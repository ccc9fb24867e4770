import { setTimeout as sleep } from 'node:timers/promises'
import { parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { openPayer, type Payer } from '../harness/chain-actors.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { openWalletSender } from '../relayer/transact/submissions/open-wallet-sender.ts'
import { saveContact } from '../../schema/client/account/save-contact.ts'

const SHARE_BPS = 2_500n

let service: TestService
let payer: Payer
beforeAll(async () => {
  service = await startSendingService({
    referrals: { referrerShareBps: Number(SHARE_BPS), referredDiscountBps: 0, minimumRewardUsdCents: 0 },
    transact: { serviceFeeBps: 100 },
  })
  payer = await openPayer(service, 11)
})
afterAll(() => service?.stop())

test("a confirmed send credits the referrer's share once, and marks the contact as used", async () => {
  const [referrer, sender] = [await openWalletSender(service, payer), await openWalletSender(service, payer)]
  const { code } = (await referrer.post('/referrals/profile', {})).body as { code: string }
  const { pool } = service.database
  expect(await service.services.referrals.apply(pool, { accountId: sender.client.accountId, code })).toBe(
    true,
  )

  const token = payer.chain.tokens[0]!.address
  await sender.receiveAll(token, [parseUnits('100', 6)])
  const friend = privateKeyToAddress(generatePrivateKey())
  await saveContact(sender.client, friend, 'Friend')
  const quote = await sender.quote({
    token,
    amount: String(parseUnits('50', 6)),
    destinationAddress: friend,
  })
  const { status } = await sender.post('/submit', await sender.sign(quote))
  expect(status).toBe(200)
  for (;;) {
    const { body } = await sender.get(`/relay-status/${quote.quoteId}`)
    const { status: state } = body as { status: string }
    expect(state).not.toBe('failed')
    if (state === 'confirmed') break
    await sleep(50)
  }

  const fee = await pool.oneFirst(sql.type(z.object({ fee: z.bigint() }))`
    select service_fee as fee from quote where id = ${quote.quoteId}`)
  expect(fee).toBe(parseUnits('0.5', 6))
  const earned = await pool.any(sql.type(z.object({ serviceFee: z.bigint(), share: z.bigint() }))`
    select service_fee as "serviceFee", referrer_share as share from referral_earning
    where quote_id = ${quote.quoteId}`)
  expect(earned).toEqual([{ serviceFee: fee, share: (fee * SHARE_BPS) / 10_000n }])
  const { body: summary } = await referrer.get('/referrals/summary')
  expect(summary).toMatchObject({ totalReferrals: 1, totalEarnedUsd: '0.125' })
  const { body: book } = await sender.get('/address-book')
  expect(book).toMatchObject({ entries: [{ address: friend, lastUsedAt: expect.any(String) }] })
})
