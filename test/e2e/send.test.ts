import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, parseUnits, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { deriveAccounts } from '../devnet/accounts.ts'
import { addressPage } from '../../schema/account/addresses/model.ts'
import { activities } from '../../schema/activity/model.ts'
import { pendingActivities, pendingStatuses } from '../../schema/activity/pending-operations.ts'
import { relayStatus, submitted } from '../../schema/transact/submit-model.ts'
import { subscribe } from '../harness/subscribe.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { expectNothingLeaked } from '../harness/expect-nothing-leaked.ts'
import type { TestService } from '../harness/start-service.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../relayer/transact/submissions/open-wallet-sender.ts'

let service: TestService
let payer: Payer
let dollar: Address
let alice: WalletSender
let bob: WalletSender

const usd = (amount: string) => parseUnits(amount, 6)
const holding = (address: Address) =>
  payer.wallet.reader.readContract({
    address: dollar,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  dollar = payer.chain.tokens[0]!.address
  ;[alice, bob] = [await openWalletSender(service, payer), await openWalletSender(service, payer)]
})
afterAll(() => service?.stop())

const control = (method: string, ...params: unknown[]) =>
  payer.wallet.reader.request({ method, params } as never)

async function untilEnded(sender: WalletSender, quoteId: string): Promise<z.output<typeof relayStatus>> {
  for (;;) {
    const { body } = await sender.get(`/relay-status/${quoteId}`)
    const status = relayStatus.parse(body)
    if (status.status === 'confirmed' || status.status === 'failed') return status
    await sleep(50)
  }
}

it('a contract recipient that burns gas wherever gas has a price is refused when it is submitted', async () => {
  const recipient = privateKeyToAddress(generatePrivateKey())
  const { reader } = payer.wallet
  // if (tx.gasprice == 0 || block.basefee == 0) return; while (true) {}
  const code = '0x3a15481517600c575b6008565b00'
  await reader.request({ method: 'anvil_setCode', params: [recipient, code] } as never)
  await alice.receiveAll(zeroAddress, [10n ** 18n])
  const quote = await alice.quote({
    token: zeroAddress,
    amount: '1000',
    destinationAddress: recipient,
    acknowledgedContractRecipient: recipient,
  })
  const countSent = () =>
    Promise.all(
      deriveAccounts().signers.map(({ address }) =>
        reader.getTransactionCount({ address, blockTag: 'pending' }),
      ),
    )
  const before = await countSent()
  const { status, body } = await alice.post('/submit', await alice.sign(quote))
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
  expect(await countSent()).toEqual(before)
})

it('three addresses together pay what none of them holds alone, to the unit', async () => {
  const funding = await alice.receiveAll(dollar, [usd('40'), usd('50'), usd('60')])
  const [to] = await bob.receiveAll(dollar, [0n])
  const quote = await alice.quote({
    token: dollar,
    amount: String(usd('120')),
    destinationAddress: to,
  })
  expect(quote.intents).toHaveLength(3)
  const locked = relayStatus.parse((await alice.get(`/relay-status/${quote.quoteId}`)).body)
  expect(locked).toEqual({
    status: 'locked',
    txHash: null,
    confirmedTxHash: null,
    error: null,
    bridge: null,
    offRamp: null,
  })
  expect((await bob.get(`/relay-status/${quote.quoteId}`)).status).toBe(404)

  const signed = await alice.sign(quote)
  const stranger = await bob.post('/submit', signed)
  expect(stranger.status).toBe(404)
  // A pending quote stays so until a block takes it.
  await control('evm_setAutomine', false)
  const { status, body } = await alice.post('/submit', signed)
  expect(status, JSON.stringify(body)).toBe(200)
  const answer = submitted.parse(body)
  expect(answer).toMatchObject({ success: true, quoteId: quote.quoteId, status: 'submitted' })

  const isPending = async (sender: WalletSender, addresses: readonly Address[]) => {
    const { items } = addressPage.parse((await sender.get('/addresses')).body)
    return addresses.map((address) => items.find((item) => item.address === address)?.hasPendingActivity)
  }
  expect(await isPending(alice, funding)).toEqual([true, true, true])
  // No other account may learn the recipient of a pending payment.
  expect(await isPending(bob, [to!])).toEqual([false])
  const { pending } = pendingActivities.parse((await alice.get('/activities/pending')).body)
  const total = BigInt(quote.fees.total)
  expect(pending).toMatchObject([
    {
      quoteId: quote.quoteId,
      kind: 'SEND',
      isExternal: false,
      platformFeeBps: 20,
      txHash: answer.txHash,
      fees: [{ value: total, tokenAddress: dollar }],
      fundingAddresses: quote.selectedFundingSources.map(({ address }) => address),
    },
  ])
  const sent = pending[0]!.transfers.reduce((sum, { value }) => sum + value, 0n)
  expect(sent).toBe(usd('120'))
  /** Expects another's payment as the origin of each address's funds, before they are sent and after. */
  const expectOrigins = (item: z.output<typeof pendingActivities>['pending'][number] | undefined) => {
    expect(item?.sourceProvenance).toMatchObject({ displayContext: { reason: 'fresh_receive' } })
    expect(item?.transfers.map(({ provenance }) => provenance?.editableSource?.id)).toEqual(
      item?.transfers.map(({ fromAddress }) => `receive:${fromAddress}`),
    )
  }
  expectOrigins(pending[0])

  await control('evm_setAutomine', true)
  await control('evm_mine')
  const end = await untilEnded(alice, quote.quoteId)
  expect(end).toEqual({
    status: 'confirmed',
    txHash: answer.txHash,
    confirmedTxHash: answer.txHash,
    error: null,
    bridge: null,
    offRamp: null,
  })
  expect(await holding(to!)).toBe(usd('120'))
  const left = (await Promise.all(funding.map(holding))).reduce((sum, amount) => sum + amount, 0n)
  expect(left).toBe(usd('150') - usd('120') - total)

  await waitUntilIndexed(service, payer)
  const statuses = await alice.post('/activities/pending/status', {
    quoteIds: [quote.quoteId, crypto.randomUUID()],
  })
  expect(pendingStatuses.parse(statuses.body).statuses).toMatchObject([
    { quoteId: quote.quoteId, lifecycle: { state: 'indexed', relayStatus: 'confirmed' } },
  ])
  expect(await isPending(alice, funding)).toEqual([false, false, false])
  const ended = pendingActivities.parse((await alice.get('/activities/pending')).body)
  expectOrigins(ended.pending.find(({ quoteId }) => quoteId === quote.quoteId))
  const [joined] = ended.pending[0]!.transfers.map(({ provenance }) => provenance!.association)
  // They paid together, which joins them from now on.
  expect(joined).toMatchObject({ status: 'linked', summary: { sourceCount: 3 } })
  expect(ended.provenanceLabelGroups.map(({ labelGroupId }) => labelGroupId)).toContain(joined!.labelGroupId)
  const { activity } = activities.parse((await alice.get('/activities')).body)
  const item = activity.find(({ quoteId }) => quoteId === quote.quoteId)
  expect(item).toMatchObject({
    kind: 'SEND',
    isExternal: false,
    platformFeeBps: 20,
    executionStatus: 'succeeded',
    txHash: answer.txHash,
    txHashes: [answer.txHash],
    fee: { tokenAddress: dollar, value: total },
    transfer: { toAddress: to, tokenAddress: dollar },
  })
  expect(new Set(item!.fundingAddresses)).toEqual(new Set(funding))
  const { body: listed } = await bob.get('/activities')
  const { activity: received } = activities.parse(listed)
  expect(received).toMatchObject([{ kind: 'RECEIVE', txHash: answer.txHash, transfer: { toAddress: to } }])
  // The payer paid the fee, so the recipient does not see it.
  expect(received[0]!.platformFeeBps).toBeNull()
  expect(received[0]!.quoteId).toBeNull()
  expect(listed).not.toHaveProperty('activity[0].quoteId')
  expect(received[0]!.fee).toBe(null)
  await expectNothingLeaked(service.database.pool)

  const again = await alice.post('/submit', signed)
  expect(again).toEqual({ status: 200, body })
  expect(await holding(to!)).toBe(usd('120'))
})

it('two accounts that share a transaction see nothing of each other', async () => {
  const senders = await Promise.all([1, 2, 3].map(() => openWalletSender(service, payer)))
  for (const sender of senders) await sender.receiveAll(dollar, [usd('20')])
  const signed = await Promise.all(
    senders.map(async (sender) => {
      const destinationAddress = privateKeyToAddress(generatePrivateKey())
      const quote = await sender.quote({ token: dollar, amount: String(usd('5')), destinationAddress })
      return { sender, body: await sender.sign(quote), destinationAddress }
    }),
  )
  const answers = await Promise.all(signed.map(({ sender, body }) => sender.post('/submit', body)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await Promise.all(signed.map(({ sender, body }) => untilEnded(sender, body.quoteId)))
  await waitUntilIndexed(service, payer)
  for (const { sender, destinationAddress } of signed) {
    const { activity } = activities.parse((await sender.get('/activities?limit=1')).body)
    const { pending } = pendingActivities.parse((await sender.get('/activities/pending')).body)
    expect(activity).toMatchObject([
      { kind: 'SEND', transfer: { toAddress: destinationAddress, value: usd('5') } },
    ])
    expect(pending).toMatchObject([{ transfers: [{ toAddress: destinationAddress, value: usd('5') }] }])
    expect(pending).toHaveLength(1)
    const text = JSON.stringify([await sender.get('/activities'), await sender.get('/activities/pending')])
    for (const other of signed.filter((one) => one.sender !== sender))
      expect(text).not.toContain(other.destinationAddress)
  }
  await expectNothingLeaked(service.database.pool)
})

it('a subscription reports each step to the owner and to no other account', async () => {
  await alice.receiveAll(dollar, [usd('9')])
  const quote = await alice.quote({
    token: dollar,
    amount: String(usd('3')),
    destinationAddress: privateKeyToAddress(generatePrivateKey()),
  })
  const text = `subscription { quoteStatus(quoteId: "${quote.quoteId}") { status txHash confirmedTxHash error } }`
  const statusIn = (told: Record<string, unknown> | undefined) =>
    (told?.['data'] as { quoteStatus?: { status: string } } | null)?.quoteStatus?.status
  const mine = await subscribe(service.url, text, alice.client.token)
  const told = [statusIn(await mine.next())]
  expect(told).toEqual(['locked'])
  for (const token of [bob.client.token, undefined]) {
    const others = await subscribe(service.url, text, token)
    expect(JSON.stringify(await others.next())).toMatch(/no such quote|bearer token/)
    others.leave()
  }
  await alice.post('/submit', await alice.sign(quote))
  for (let next = await mine.next(); next; next = await mine.next()) told.push(statusIn(next))
  expect(told.at(-1)).toBe('confirmed')
  expect(await alice.post('/unlock', { quoteId: quote.quoteId })).toMatchObject({ status: 400 })
})

it('pending activity can be filtered by an own address, and malformed filters are refused', async () => {
  const { pending } = pendingActivities.parse((await alice.get('/activities/pending')).body)
  const [funding] = pending[0]!.fundingAddresses!
  const own = pendingActivities.parse((await alice.get(`/activities/pending?address=${funding}`)).body)
  expect(own.pending.length).toBeGreaterThan(0)
  for (const item of own.pending) expect(item.fundingAddresses).toContain(funding)
  expect((await bob.get(`/activities/pending?address=${funding}`)).status).toBe(404)
  expect((await alice.get('/activities/pending?address=0x12')).status).toBe(400)
  expect((await alice.post('/activities/pending/status', { quoteIds: ['no'] })).status).toBe(400)
  expect((await bob.post('/activities/pending/status', { quoteIds: [pending[0]!.quoteId] })).body).toEqual({
    statuses: [],
  })
  for (const body of [
    {},
    { quoteId: 'x', intents: [], delegations: [] },
    { quoteId: pending[0]!.quoteId, intents: [{}] },
  ])
    expect((await alice.post('/submit', body)).status).toBe(400)
})
