import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { quote as quoteShape } from '../../../../schema/transact/quote-model.ts'
import { readSpendFacts, spendStatusOf } from '../../../../relayer/transact/pool-spending/spend-progress.ts'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import { verifyQuote } from '../../../../schema/client/quotes/verify-quote.ts'
import { openPayer, type Payer } from '../../../harness/chain-actors.ts'
import { expectAnswerKept } from '../../../harness/expect-answer-kept.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { subscribe } from '../../../harness/subscribe.ts'
import { openDepositor } from '../kinds/pool-recover/open-depositor.ts'
import { startSendingService } from '../quotes/start-sending-service.ts'
import { openSpender, type Spender } from './open-spender.ts'
import { testSettling } from './test-settling.ts'
import { listedOf, pendingOf, testToldActivity } from './test-told-activity.ts'

let service: TestService
let payer: Payer
let owner: Spender

beforeAll(async () => {
  service = await startSendingService({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
  })
  payer = await openPayer(service, 5)
  owner = await openSpender(service, payer, null, [parseEther('1'), parseEther('0.5')])
})
afterAll(async () => {
  await service?.stop()
})

const recipient = '0x00000000000000000000000000000000000A11cE'

it('a reported spend locks its note, is noted with its hashes, and is confirmed by the chain', async () => {
  const amount = parseEther('0.7')
  const { status, body: quote } = await owner.quote({
    type: 'incognito_send',
    amount: String(amount),
    destinationAddress: recipient,
  })
  expect(status, JSON.stringify(quote)).toBe(200)
  quoteShape.strict().parse(quote)
  const key = (await (await fetch(`${service.url}/v1/.well-known/quote-signer-public-key`)).json()) as never
  expect(await verifyQuote(quote as never, key)).toBe(true)
  const [withdrawal] = quote.withdrawals
  expect(quote.withdrawals).toHaveLength(1)
  expect(BigInt(quote.expectedOutput)).toBeGreaterThanOrEqual(amount)
  expect(BigInt(withdrawal!.withdraws) - BigInt(withdrawal!.receives)).toBe(BigInt(quote.fees.network))
  expect(quote.crowd).toBe(1)
  expect(quote.privacyCaveats.map(({ kind }) => kind)).toEqual(['soon', 'small_crowd'])
  expect(await owner.pooled()).toMatchObject({
    available: String(owner.notes[1]!.note.value),
    pendingWithdrawal: String(owner.notes[0]!.note.value),
  })
  expect(await owner.quote({ type: 'incognito_send', amount: String(amount) })).toMatchObject({
    status: 409,
    body: { code: 'QUOTE_LOCK_CONFLICT' },
  })

  const follow = (token: string) =>
    subscribe(
      service.url,
      `subscription { quoteStatus(quoteId: "${quote.quoteId.toUpperCase()}") { status txHash } }`,
      token,
    )
  const progress = await follow(owner.client.token)
  const nextStatus = async () => JSON.stringify((await progress.next())?.['data'])
  expect(await nextStatus()).toContain('"locked"')
  const { change, told } = owner.tell(withdrawal!)
  const submit = (withdrawals: unknown[]) => owner.post('/submit', { quoteId: quote.quoteId, withdrawals })
  expect(await submit([{ ...told, nullifierHash: '0' }])).toMatchObject({ status: 400 })
  expect(await submit([told, told])).toMatchObject({ status: 400, body: { code: 'QUOTE_MISMATCH' } })
  expect(await submit([told])).toMatchObject({ status: 200, body: { success: true, status: 'queued' } })
  expect(await submit([told])).toMatchObject({ status: 200, body: { success: true, status: 'queued' } })
  expect(await submit([{ ...told, newCommitment: '5' }])).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_MISMATCH' },
  })
  expect(await owner.post('/unlock', { quoteId: quote.quoteId })).toMatchObject({
    status: 400,
    body: { code: 'QUOTE_SUBMITTED' },
  })
  expect(await owner.statusOf(quote.quoteId)).toMatchObject({ status: 'queued', txHash: null })

  expect(await pendingOf(owner, quote.quoteId)).toMatchObject({
    kind: 'INCOGNITO_SEND',
    executionStatus: 'pending',
    txHash: null,
    lifecycle: { state: 'in_flight', relayStatus: 'queued' },
    transfers: [{ value: withdrawal!.receives }],
  })
  expect(await listedOf(owner, quote.quoteId)).toBeUndefined()

  await owner.relay(withdrawal!, change, recipient)
  expect(await owner.statusOf(quote.quoteId)).toMatchObject({ status: 'confirmed' })
  const followed = [await nextStatus()]
  for (let next = await progress.next(); next; next = await progress.next())
    followed.push(JSON.stringify(next['data']))
  expect(followed[0]).toContain('"queued"')
  expect(followed.at(-1)).toContain('"confirmed"')
  expect(await owner.pooled()).toMatchObject({
    available: String(owner.notes[1]!.note.value + BigInt(withdrawal!.changeValue)),
    pendingWithdrawal: '0',
  })
  const { body } = await owner.get<{ commitments: { id: string; value: string; known: string }[] }>(
    `/pool/commitments?chainId=31337&token=${zeroAddress}`,
  )
  expect(body.commitments).toContainEqual(
    expect.objectContaining({ id: `${withdrawal!.label}-1`, value: withdrawal!.changeValue, known: 'told' }),
  )
})

it('a note that was spent otherwise than announced has a separate status, over HTTP as in the subscription', async () => {
  const other = await openSpender(service, payer, null, [parseEther('0.4')])
  const { body: quote } = await other.quote({ type: 'incognito_send', amount: String(parseEther('0.2')) })
  const [withdrawal] = quote.withdrawals
  const { change, told } = other.tell(withdrawal!)
  const submitted = { ...told, newCommitment: '12345' }
  expect(await other.post('/submit', { quoteId: quote.quoteId, withdrawals: [submitted] })).toMatchObject({
    status: 200,
  })
  const progress = await subscribe(
    service.url,
    `subscription { quoteStatus(quoteId: "${quote.quoteId}") { status txHash confirmedTxHash error } }`,
    other.client.token,
  )
  await other.relay(withdrawal!, change, '0x00000000000000000000000000000000000B0b01')
  const error = 'A note was spent otherwise than reported: compare pool/state'
  const answer = await other.get(`/relay-status/${quote.quoteId}`)
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'manual_review', txHash: expect.any(String), confirmedTxHash: null, error },
  })
  let last: unknown
  for (let next = await progress.next(); next; next = await progress.next()) last = next['data']
  expect(last).toEqual({ quoteStatus: answer.body })
  expect(await pendingOf(other, quote.quoteId)).toMatchObject({
    executionStatus: 'manual_review',
    lifecycle: { state: 'failed', relayStatus: 'manual_review', reason: error },
  })

  // The same block says nothing while it may be taken back.
  const { pool } = payer.chain.pools.find(({ asset }) => asset === NATIVE_ASSET)!
  const part = {
    label: BigInt(withdrawal!.label),
    withdrawalIndex: 0,
    value: 1n,
    withdraws: BigInt(withdrawal!.withdraws),
    spentBy: { nullifierHash: BigInt(told.nullifierHash), newCommitment: 12_345n },
  }
  const spend = {
    id: '',
    kind: 'incognito_send',
    receives: 1n,
    fee: 0n,
    until: 0,
    isUnlocked: false,
  } as const
  const standing = async (confirmations: number) => {
    const chains = [{ chainId: 31_337, confirmations }]
    const facts = await readSpendFacts(
      { database: service.database.pool, chains },
      { chainId: 31_337, address: pool },
      [{ ...spend, parts: [part] }],
    )
    return spendStatusOf({ ...spend, parts: [part] }, facts)
  }
  expect(await standing(1_000)).toBe('pending')
  expect(await standing(0)).toBe('manual_review')
})

it('neither recipient nor note stands readable in the database', async () => {
  const found = await service.database.pool.anyFirst(sql.type(z.object({ found: z.string() }))`
    select encode(sealed, 'escape') as found from pool_book union all
    select encode(sealed, 'escape') from pool_spend`)
  expect(found.length).toBeGreaterThan(1)
  const text = found.join('\n').toLowerCase()
  expect(text).not.toContain('a11ce')
  for (const { note } of owner.notes) expect(text).not.toContain(String(note.label))
})

it('a spend to oneself gets a fresh address, and unlocked notes are free again', async () => {
  const { status, body: quote } = await owner.quote({
    type: 'incognito_self_send',
    amount: String(parseEther('0.1')),
  })
  expect(status, JSON.stringify(quote)).toBe(200)
  const [{ recipient } = { recipient: undefined }] = quote.withdrawals
  const { body: known } = await owner.get<{ kind: string }>(
    `/recipient-address-kind?chainId=31337&address=${recipient}`,
  )
  expect(known.kind).toBe('own')
  expect((await owner.pooled())['pendingWithdrawal']).not.toBe('0')
  const unlock = () => owner.post('/unlock', { quoteId: quote.quoteId })
  expect(await unlock()).toMatchObject({ status: 200 })
  expect(await unlock()).toMatchObject({ status: 200 })
  expect((await owner.pooled())['pendingWithdrawal']).toBe('0')
  expect(await owner.statusOf(quote.quoteId)).toMatchObject({ status: 'unlocked' })
  expect(
    await owner.post('/submit', {
      quoteId: quote.quoteId,
      withdrawals: [
        { commitmentId: quote.withdrawals[0]!.commitmentId, nullifierHash: '1', newCommitment: '2' },
      ],
    }),
  ).toMatchObject({ status: 400, body: { code: 'QUOTE_EXPIRED' } })
})

it('requests that meet never lock one note twice', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      owner.quote({ type: 'incognito_send', amount: String(parseEther('0.1')) }),
    ),
  )
  const locked = answers.flatMap(
    ({ body }) => body.withdrawals?.map(({ commitmentId }) => commitmentId) ?? [],
  )
  expect(new Set(locked).size).toBe(locked.length)
  expect(locked.length).toBe(2)
  for (const { status, body } of answers)
    if (status === 200) await owner.post('/unlock', { quoteId: body.quoteId })
    else expect([status, body.code]).toEqual([409, 'QUOTE_LOCK_CONFLICT'])
})

it('a reported spend locks its notes together with the answer to its Idempotency-Key, or not at all', async () => {
  const body = { type: 'incognito_send', chainId: 31_337, token: zeroAddress, maxSend: true }
  const { quoteId } = await expectAnswerKept(service, owner.client, '/quote', body)
  expect((await owner.quote({ type: 'incognito_send', maxSend: true })).status).not.toBe(200)
  expect((await owner.post('/unlock', { quoteId })).status).toBe(200)
})

it('an impossible spend is refused with the amounts that would do', async () => {
  const spend = (more: Record<string, unknown>) => owner.quote({ type: 'incognito_send', ...more })
  expect(await spend({ amount: String(parseEther('50')) })).toMatchObject({
    status: 400,
    body: { code: 'INSUFFICIENT_BALANCE' },
  })
  const { available } = await owner.pooled()
  expect(await spend({ amount: available })).toMatchObject({
    status: 400,
    body: { code: 'INSUFFICIENT_FUNDS_FOR_FEES', maxInputs: 8 },
  })
  const { body: small } = await spend({ amount: '5' })
  expect(small).toMatchObject({ code: 'WITHDRAWAL_AMOUNT_TOO_SMALL', selectedCount: 2, tokenSymbol: 'ETH' })
  for (const member of [
    'minAmount',
    'maxSendable',
    'selectedAmount',
    'relayFee',
    'feeLimit',
    'maxRelayFeeBPS',
  ])
    expect(small).toHaveProperty(member)
  expect(await spend({ amount: '5', token: '0x00000000000000000000000000000000000a11ce' })).toMatchObject({
    status: 400,
    body: { code: 'POOL_NOT_FOUND' },
  })
  expect(
    await owner.quote({ type: 'incognito_self_send', amount: '5', destinationAddress: zeroAddress }),
  ).toMatchObject({ status: 400 })
})

it('max-spendable of a spend is as much as the quote of everything gives', async () => {
  const max = async (type: string, token: string = zeroAddress) =>
    owner.post('/max-spendable', { type, chainId: 31337, token })
  const { status, body } = await max('incognito_send')
  expect(status, JSON.stringify(body)).toBe(200)
  const { body: quote } = await owner.quote({ type: 'incognito_send', maxSend: true })
  expect(body).toMatchObject({
    maxAmount: quote.expectedOutput,
    grossAmount: quote.amountIn,
    spendableCount: quote.withdrawals.length,
    fees: { network: quote.fees.total, total: quote.fees.total, service: '0' },
  })
  expect(BigInt(quote.expectedOutput)).toBeGreaterThan(0n)
  // The quote holds every note: none is left to spend.
  expect((await max('incognito_self_send')).body).toMatchObject({ maxAmount: '0', spendableCount: 0 })
  await owner.post('/unlock', { quoteId: quote.quoteId })
  expect(await max('incognito_send', '0x00000000000000000000000000000000000a11ce')).toMatchObject({
    status: 400,
    body: { code: 'POOL_NOT_FOUND' },
  })
})

it('no other account sees or ends a reported spend', async () => {
  const { body: quote } = await owner.quote({ type: 'incognito_send', amount: String(parseEther('0.1')) })
  const stranger = await openDepositor(service, payer)
  const followed = await subscribe(
    service.url,
    `subscription { quoteStatus(quoteId: "${quote.quoteId}") { status } }`,
    stranger.client.token,
  )
  expect(JSON.stringify(await followed.next())).toContain('no such quote')
  followed.leave()
  expect(await stranger.get(`/relay-status/${quote.quoteId}`)).toMatchObject({ status: 404 })
  expect(await stranger.post('/unlock', { quoteId: quote.quoteId })).toMatchObject({ status: 404 })
  expect(
    await stranger.post('/submit', {
      quoteId: quote.quoteId,
      withdrawals: [{ commitmentId: '1', nullifierHash: '1', newCommitment: '2' }],
    }),
  ).toMatchObject({ status: 404 })
  await owner.post('/unlock', { quoteId: quote.quoteId })
})

testToldActivity(() => ({ owner, payer, recipient }))
testSettling(() => ({ owner, service, payer }))
