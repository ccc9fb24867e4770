import { isAddressEqual, parseUnits, zeroAddress, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { quote as quoteShape } from '../../schema/transact/quote-model.ts'
import { openPayer, type Payer } from '../harness/chain-actors.ts'
import { post } from '../harness/call.ts'
import { expectNothingLeaked } from '../harness/expect-nothing-leaked.ts'
import type { TestService } from '../harness/start-service.ts'
import { openSender, type WireQuote } from '../relayer/transact/quotes/open-sender.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { verifyPayload, verifyQuote } from '../../schema/client/quotes/verify-quote.ts'
import { decodeCalls } from '../../relayer/transact/intents/intent.ts'

let service: TestService
let payer: Payer
let dollar: Address

const usd = (amount: string) => parseUnits(amount, 6)
const somebody = () => privateKeyToAddress(generatePrivateKey())
const key = () => ({ 'idempotency-key': generatePrivateKey() })

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
})
afterAll(() => service?.stop())

/** Amounts and recipients of an intent's calls. */
function paymentsOf(one: WireQuote, token: Address): Map<Address, bigint> {
  const paid = new Map<Address, bigint>()
  for (const { executionData } of one.intents)
    for (const { to, value, data } of decodeCalls(executionData as Hex) ?? []) {
      if (token !== zeroAddress) expect(isAddressEqual(to, token)).toBe(true)
      const payee = token === zeroAddress ? to : (`0x${data.slice(34, 74)}` as const)
      const amount = token === zeroAddress ? value : BigInt(`0x${data.slice(74)}`)
      const known = [...paid.keys()].find((other) => isAddressEqual(other, payee)) ?? payee
      paid.set(known, (paid.get(known) ?? 0n) + amount)
    }
  return paid
}

const fetchJson = async (path: string) => (await fetch(`${service.url}${path}`)).json()
const paidTo = (paid: Map<Address, bigint>, address: string) =>
  [...paid].find(([payee]) => isAddressEqual(payee, address as Address))?.[1]

interface ShownQuote {
  id: string
  quoteId: string
  signature: string
  signedPayload: string
}

describe('a quote', () => {
  it('has exactly the documented members, and reserves exactly what it spends', async () => {
    const sender = await openSender(service, payer)
    const [small] = await sender.receiveAll(dollar, [usd('50'), usd('200')])
    const recipient = somebody()
    const { status, body } = await sender.quote({
      token: dollar,
      amount: String(usd('30')),
      decimals: 6,
      destinationAddress: recipient,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    quoteShape.strict().parse(body)
    expect(body.intents).toHaveLength(1)
    expect(body.intents[0]).toMatchObject({ eoa: small, paymentAmount: '0', isMultichain: false })
    expect(body.delegations).toMatchObject([{ address: small, authorizationNonce: 0 }])
    expect(body.signingReview.intents).toEqual([
      { userActionCallIndices: [0], simulationCallIndices: [0, 1], calldataCaveats: [] },
    ])
    expect(body.fundingCaveats).toEqual([])

    const total = BigInt(body.fees.total)
    expect(total).toBe(BigInt(body.fees.network) + BigInt(body.fees.service))
    expect(BigInt(body.fees.service)).toBe((usd('30') * 20n) / 10_000n)
    expect(BigInt(body.fees.network)).toBeGreaterThan(0n)
    expect(BigInt(body.amountIn)).toBe(usd('30') + total)
    const paid = paymentsOf(body, dollar)
    expect(paid.size).toBe(2)
    expect(paidTo(paid, recipient)).toBe(usd('30'))
    expect(body.selectedFundingSources).toMatchObject([{ address: small, amount: body.amountIn, idCount: 1 }])

    const { body: balances } = await sender.get(`/address-balances?address=${small}`)
    expect(balances).toMatchObject({
      addresses: [
        { balances: [{ pending: body.amountIn, available: String(usd('50') - BigInt(body.amountIn)) }] },
      ],
    })
  })

  it('pays its fee to the receiver of the relayer’s fees where the operator names no other', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('20'))
    const { body } = await sender.quote({ token: dollar, amount: '5000000', destinationAddress: somebody() })
    const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
    const { feeReceiverAddress } = (await fetchJson(
      `/relayer/details?chainId=${payer.chain.chainId}&assetAddress=${native}`,
    )) as { feeReceiverAddress: Address }
    expect(paidTo(paymentsOf(body, dollar), feeReceiverAddress)).toBe(BigInt(body.fees.total))
  })

  it('is signed as a whole, and GraphQL also returns the signed text', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('20'))
    const { body } = await sender.quote({ token: dollar, amount: '5000000', destinationAddress: somebody() })
    const quoteKey = (await fetchJson('/v1/.well-known/quote-signer-public-key')) as never
    expect(quoteKey).toMatchObject({ format: 'hex', curve: 'P-256', algorithm: 'ECDSA' })
    expect(await verifyQuote(body as never, quoteKey)).toBe(true)
    for (const member of Object.keys(body)) {
      if (member === 'signature' || body[member as keyof WireQuote] === null) continue
      const { [member as keyof WireQuote]: _, ...less } = body
      expect(await verifyQuote(less as never, quoteKey), `without ${member}`).toBe(false)
      expect(await verifyQuote({ ...body, [member]: 'other' } as never, quoteKey), member).toBe(false)
    }

    const document = `mutation ($accountId: UUID!, $quoteId: UUID!, $key: String!) {
      refreshQuote(accountId: $accountId, quoteId: $quoteId, idempotencyKey: $key) {
        replacedId quote { id __typename quoteId signature signedPayload } }
    }`
    const answer = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sender.headers },
      body: JSON.stringify({
        query: document,
        variables: { accountId: sender.accountId, quoteId: body.quoteId, key: 'one' },
      }),
    })
    const { data, errors } = (await answer.json()) as {
      data?: { refreshQuote: { quote: ShownQuote; replacedId: string } }
      errors?: unknown
    }
    expect(errors).toBeUndefined()
    const { signedPayload, signature, quoteId } = data!.refreshQuote.quote
    expect(await verifyPayload(signedPayload, signature, quoteKey)).toBe(true)
    expect(JSON.parse(signedPayload)).toMatchObject({ quoteId, expiresAt: body.expiresAt })

    const { quote: shown, replacedId } = data!.refreshQuote
    const { id } = shown
    expect(replacedId).not.toBe(id)
    const readAgain = async (headers: Record<string, string>) => {
      const query = `query ($id: ID!) { quote(id: $id) { id } node(id: $id) { id __typename
        ... on Quote { quoteId signature signedPayload relay { status } } } }`
      const { json } = await post(`${service.url}/graphql`, { query, variables: { id } }, headers)
      const { data } = json as { data: { node: ShownQuote | null; quote: { id: string } | null } }
      expect(data.quote?.id).toBe(data.node?.id)
      return data.node
    }
    const again = await readAgain(sender.headers)
    expect(again).toMatchObject({ id, __typename: 'SendQuote', quoteId, relay: { status: 'locked' } })
    expect(await verifyPayload(again!.signedPayload, again!.signature, quoteKey)).toBe(true)
    const { intents, fees } = JSON.parse(signedPayload)
    expect(JSON.parse(again!.signedPayload)).toMatchObject({ quoteId, intents, fees })
    const stranger = await openSender(service, payer)
    expect(await readAgain(stranger.headers)).toBeNull()
    await sender.post('/unlock', { quoteId })
    expect(await readAgain(sender.headers)).toBeNull()
  })

  it('shows and signs the tags on the origin of its funds, and stores none of them', async () => {
    const sender = await openSender(service, payer)
    const address = await sender.receive(dollar, usd('20'))
    const tagPayloadCiphertext = 'bm9ib2R5IGVsc2UgcmVhZHMgdGhpcw=='
    const tag = { tagPayloadCiphertext, labelKey: 'YSBsYWJlbCBvZiBzb21lYm9keQ==' }
    expect(await sender.put(`/provenance-address-tags/${address}`, tag)).toMatchObject({ status: 200 })
    const { status, body } = await sender.quote({
      token: dollar,
      amount: '5000000',
      destinationAddress: somebody(),
    })
    expect(status, JSON.stringify(body)).toBe(200)
    const [source] = body.selectedFundingSources
    expect(source?.provenance).toMatchObject({
      display: { badgeKind: 'tagged' },
      editableSource: { tagPayloadCiphertext, tagPayloadUpdatedAt: expect.stringMatching(/Z$/) },
    })
    expect(body.provenanceLabelGroups).toMatchObject([{ sources: [source?.provenance?.editableSource] }])
    const quoteKey = (await fetchJson('/v1/.well-known/quote-signer-public-key')) as never
    expect(await verifyQuote(body as never, quoteKey)).toBe(true)
    const kept = await service.database.pool.oneFirst(sql.type(z.object({ row: z.string() }))`
      select to_jsonb(quote)::text as row from quote where id = ${body.quoteId}`)
    expect(kept).not.toContain(tagPayloadCiphertext)
    expect(kept).toContain(body.intents[0]!.nonce)
  })

  it('spends native coins and takes the fee from them', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(zeroAddress, 10n ** 18n)
    const recipient = somebody()
    const { status, body } = await sender.quote({
      token: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
      amount: '123456789',
      destinationAddress: recipient,
      ttl: 60,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.outputToken).toBe(zeroAddress)
    const paid = paymentsOf(body, zeroAddress)
    expect(paidTo(paid, recipient)).toBe(123_456_789n)
    expect([...paid.values()].reduce((sum, amount) => sum + amount)).toBe(BigInt(body.amountIn))
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThan(61_000)
    const grace = service.config.transact.graceSeconds
    // A full hour, as for the intents of all accounts.
    expect(Number(body.intents[0]!.expiry)).toBe(
      3_600 * Math.ceil((Math.floor(Date.parse(body.expiresAt) / 1_000) + grace) / 3_600),
    )
  })

  it('joins addresses only when no single address suffices, and says so', async () => {
    const sender = await openSender(service, payer)
    const addresses = await sender.receiveAll(dollar, [usd('10'), usd('12'), usd('8')])
    const recipient = somebody()
    const asked = { token: dollar, destinationAddress: recipient }
    const { body } = await sender.quote({ ...asked, amount: String(usd('17')) })
    expect(new Set(body.intents.map(({ eoa }) => eoa))).toEqual(new Set([addresses[1], addresses[2]]))
    expect(body.fundingCaveats).toEqual([{ kind: 'addresses_joined', addressCount: 2 }])
    expect(paidTo(paymentsOf(body, dollar), recipient)).toBe(usd('17'))
    const reserved = body.selectedFundingSources.map(({ amount }) => BigInt(amount))
    expect(reserved[0]! + reserved[1]!).toBe(BigInt(body.amountIn))
    await sender.post('/unlock', { quoteId: body.quoteId })

    const { body: only } = await sender.quote({
      ...asked,
      amount: '1000000',
      spendableAddresses: [addresses[1]!.toLowerCase()],
    })
    expect(only.intents.map(({ eoa }) => eoa)).toEqual([addresses[1]])
    const { body: single } = await sender.quote({ ...asked, amount: '1000000', singleAddress: addresses[0] })
    expect(single.intents.map(({ eoa }) => eoa)).toEqual([addresses[0]])
    const tooMuch = await sender.quote({ ...asked, amount: String(usd('10')), singleAddress: addresses[2] })
    expect(tooMuch).toMatchObject({ status: 400, body: { code: 'INSUFFICIENT_BALANCE' } })
  })

  it("may pay one of the account's own addresses, which then funds nothing itself", async () => {
    const sender = await openSender(service, payer)
    const [from, to] = await sender.receiveAll(dollar, [usd('9'), usd('30')])
    const { body } = await sender.quote({ token: dollar, amount: '1000000', destinationAddress: to })
    expect(body).toMatchObject({ outputRecipientOwned: true, outputRecipient: to })
    expect(body.intents.map(({ eoa }) => eoa)).toEqual([from])
    const all = await sender.quote({ token: dollar, amount: String(usd('20')), destinationAddress: to })
    expect(all.body).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  })
})

describe('the spendable maximum', () => {
  it('equals max-spendable, and one unit more is refused', async () => {
    for (const amounts of [[usd('7')], [usd('3'), usd('11'), usd('0.02')]]) {
      const sender = await openSender(service, payer)
      await sender.receiveAll(dollar, amounts)
      const { status, body: most } = await sender.post<{ maxAmount: string; fees: { total: string } }>(
        '/max-spendable',
        { chainId: payer.chain.chainId, token: dollar, type: 'send' },
      )
      expect(status, JSON.stringify(most)).toBe(200)
      const amount = BigInt(most.maxAmount)
      expect(amount).toBeGreaterThan(0n)
      for (const destinationAddress of [somebody(), payer.wallet.account.address]) {
        const more = await sender.quote({ token: dollar, amount: String(amount + 1n), destinationAddress })
        expect(more).toMatchObject({
          status: 400,
          body: { code: 'INSUFFICIENT_FUNDS_FOR_FEES', maxSendable: most.maxAmount, shortfall: '1' },
        })
        const all = await sender.quote({ token: dollar, amount: String(amount), destinationAddress })
        expect(all.status, JSON.stringify(all.body)).toBe(200)
        await sender.post('/unlock', { quoteId: all.body.quoteId })
        const max = await sender.quote({ token: dollar, maxSend: true, destinationAddress })
        expect(max.body.expectedOutput).toBe(most.maxAmount)
        await sender.post('/unlock', { quoteId: max.body.quoteId })
      }
    }
  })

  it('is zero without funds', async () => {
    const sender = await openSender(service, payer)
    const { body } = await sender.post('/max-spendable', { chainId: payer.chain.chainId, token: dollar })
    expect(body).toMatchObject({ maxAmount: '0', spendableCount: 0, grossAmount: '0' })
  })
})

describe('a refusal', () => {
  it('names the missing balance and what remains after fees', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('10'))
    const asked = { token: dollar, destinationAddress: somebody() }
    const ofToken = { tokenSymbol: 'TUSD', tokenAddress: dollar, tokenDecimals: 6 }
    expect(await sender.quote({ ...asked, amount: String(usd('10') + 1n) })).toMatchObject({
      status: 400,
      body: { error: 'Bad request', code: 'INSUFFICIENT_BALANCE', available: String(usd('10')), ...ofToken },
    })
    const { status, body } = await sender.quote({ ...asked, amount: String(usd('10')) })
    expect(status).toBe(400)
    const told = body as unknown as Record<string, string>
    expect(told).toMatchObject({
      code: 'INSUFFICIENT_FUNDS_FOR_FEES',
      spendableCount: 1,
      maxInputs: 16,
      feePaymentOptions: [{ token: dollar, symbol: 'TUSD', decimals: 6, available: String(usd('10')) }],
    })
    expect(BigInt(told['required']!)).toBe(usd('10') + BigInt(told['feeEstimate']!))
    expect(BigInt(told['shortfall']!)).toBe(usd('10') - BigInt(told['maxSendable']!))
    const most = await sender.quote({ ...asked, amount: told['maxSendable'] })
    expect(most.status).toBe(200)

    expect(await sender.quote({ ...asked, amount: told['maxSendable'] })).toMatchObject({
      status: 409,
      body: { error: 'Conflict', code: 'QUOTE_LOCK_CONFLICT' },
    })
    expect(await sender.quote({ ...asked, maxSend: true })).toMatchObject({
      status: 409,
      body: { code: 'QUOTE_LOCK_CONFLICT' },
    })
  })

  it('explains requests that are not supported or make no sense', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('10'))
    const asked = { token: dollar, amount: '1000', destinationAddress: somebody() }
    const refusal = async (changes: Record<string, unknown>) => {
      const { status, body } = await sender.quote({ ...asked, ...changes })
      expect(status).toBe(400)
      return body as unknown as { code: string; message: string }
    }
    expect((await refusal({ type: 'elsewhere' })).message).toContain('body.type: expected "send"')
    expect(await refusal({ chainId: 5 })).toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
    expect(await refusal({ decimals: 18 })).toMatchObject({ code: 'DECIMALS_MISMATCH' })
    for (const amount of ['0', '-1', '1.5', '0x10', '', 7, undefined, String(2n ** 256n)])
      expect(await refusal({ amount })).toMatchObject({ code: 'BAD_REQUEST' })
    for (const ttl of [0, 86_401, 1.5, '60'])
      expect(await refusal({ ttl })).toMatchObject({ code: 'BAD_REQUEST' })
    await expectNothingLeaked(service.database.pool)
  })
})

describe('refreshing a quote', () => {
  it('preserves the deadline and the locked funds, and repeats its answer for the same Idempotency-Key', async () => {
    const sender = await openSender(service, payer)
    await sender.receiveAll(dollar, [usd('10'), usd('100')])
    const { body: old } = await sender.quote({
      token: dollar,
      amount: '9000000',
      destinationAddress: somebody(),
    })
    const path = `/quotes/${old.quoteId}/refresh`
    expect(await sender.post(path)).toMatchObject({ status: 400, body: { message: /Idempotency-Key/ } })
    const again = key()
    const { status, body: fresh } = await sender.post<WireQuote>(path, undefined, again)
    expect(status, JSON.stringify(fresh)).toBe(200)
    expect(fresh.quoteId).not.toBe(old.quoteId)
    expect(fresh).toMatchObject({
      expiresAt: old.expiresAt,
      expectedOutput: old.expectedOutput,
      outputRecipient: old.outputRecipient,
      selectedFundingSources: [{ address: old.selectedFundingSources[0]!.address }],
    })
    // Of two signatures with one nonce the chain executes one.
    expect(fresh.intents[0]!.nonce).toBe(old.intents[0]!.nonce)
    expect((await sender.post(path, undefined, again)).body).toEqual(fresh)
    await expectNothingLeaked(service.database.pool)

    expect(await sender.post(path, undefined, key())).toMatchObject({
      status: 400,
      body: { code: 'QUOTE_NOT_REFRESHABLE' },
    })
    const unknown = `/quotes/${crypto.randomUUID()}/refresh`
    expect((await sender.post(unknown, undefined, key())).status).toBe(404)
    const stranger = await openSender(service, payer)
    expect((await stranger.post(`/quotes/${fresh.quoteId}/refresh`, undefined, key())).status).toBe(404)
  })
})

describe('a client', () => {
  it('that unlocks a quote gets its funds back, and the same answer each time', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('10'))
    const { body } = await sender.quote({ token: dollar, amount: '9000000', destinationAddress: somebody() })
    const unlocked = { status: 200, body: { success: true, message: 'Quote unlocked' } }
    for (let time = 0; time < 3; time += 1)
      expect(await sender.post('/unlock', { quoteId: body.quoteId })).toEqual(unlocked)
    const stranger = await openSender(service, payer)
    expect((await stranger.post('/unlock', { quoteId: body.quoteId })).status).toBe(404)
    expect((await sender.post('/unlock', { quoteId: crypto.randomUUID() })).status).toBe(404)
    expect((await sender.post('/unlock', { quoteId: 'none' })).status).toBe(400)
    const again = await sender.quote({ token: dollar, amount: '9000000', destinationAddress: somebody() })
    expect(again.status).toBe(200)
    await expectNothingLeaked(service.database.pool)
  })

  it('that repeats an Idempotency-Key gets one quote', async () => {
    const sender = await openSender(service, payer)
    await sender.receive(dollar, usd('10'))
    const body = {
      type: 'send',
      chainId: payer.chain.chainId,
      token: dollar,
      amount: '4000000',
      destinationAddress: somebody(),
    }
    const once = key()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => sender.post<WireQuote>('/quote', body, once)),
    )
    expect(new Set(answers.map((answer) => answer.body.quoteId)).size).toBe(1)
    expect((await sender.post('/quote', { ...body, amount: '1' }, once)).body).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
  })
})
