import { decodeFunctionData, erc721Abi, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { collectiblesConfig } from '../../../../relayer/account/collectible/config.ts'
import { createCollectibles } from '../../../../relayer/account/collectible/collectibles.ts'
import { feeWaiversConfig } from '../../../../relayer/account/fee-waivers/config.ts'
import { createFeeWaivers } from '../../../../relayer/account/fee-waivers/fee-waivers.ts'
import { sql } from '../../../../db/connect-database.ts'
import { quote as quoteShape } from '../../../../schema/transact/quote-model.ts'
import { decodeCalls } from '../../../../schema/client/chain/decode-call.ts'
import { verifyQuote } from '../../../../schema/client/quotes/verify-quote.ts'
import { waitUntilIndexed } from '../../../harness/chain-actors.ts'
import { post } from '../../../harness/call.ts'
import { expectAnswerKept } from '../../../harness/expect-answer-kept.ts'
import { meetHostileRecipients, meetLyingContract, meetTurningRecipient } from './hostile-stories.ts'
import {
  CHAIN,
  collectible,
  NONE,
  openCollectibleWorld,
  somebody,
  WAIVED,
  type CollectibleWorld,
} from './open-collectible-world.ts'
import type { Holder } from './open-holder.ts'

let world: CollectibleWorld
/** Several tests share it, since sign-ins are limited by the minute. */
let shared: Holder
beforeAll(async () => {
  world = await openCollectibleWorld()
  shared = await world.openHolder()
})
afterAll(() => world?.service.stop())

const age = (holder: Holder, hours: number) =>
  world.service.database.pool.query(sql.typeAlias('void')`
    update collectible_deposit set recorded_at = recorded_at - ${hours} * interval '1 hour'
    where account_id = ${holder.client.accountId}::uuid`)

it('a collectible waives fees from its verification until it is sent away, for free', async () => {
  const holder = await world.openHolder()
  const id = world.newId()
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  const depositAddress = await holder.mint(collectible, id)
  expect(await world.waiverOf(holder)).toEqual(NONE)
  const state = {
    active: true,
    deposits: [{ tokenId: String(id), imageUrl: `https://pictures.example/${id}.png`, depositAddress }],
  }
  expect(await holder.verify()).toEqual(state)
  const rows = () =>
    world.service.database.pool.any(sql.type(z.object({ recordedAt: z.date() }))`
      select recorded_at as "recordedAt" from collectible_deposit where account_id = ${holder.client.accountId}::uuid`)
  const recorded = await rows()
  expect(await Promise.all([holder.verify(), holder.verify()])).toEqual([state, state])
  expect(await rows()).toEqual(recorded)
  expect(recorded).toHaveLength(1)
  expect(await world.waiverOf(holder)).toEqual(WAIVED)
  expect((await holder.get('')).body['collectible']).toEqual(state)

  // A payment has no service fee while it is held.
  const funded = await holder.receive()
  await world.payer.payNative(funded.address, parseEther('1'))
  await waitUntilIndexed(world.service, world.payer)
  const pay = () =>
    holder.post<{ quoteId: string; fees: { service: string; waived: boolean } }>('/quote', {
      type: 'send',
      chainId: CHAIN,
      token: zeroAddress,
      amount: String(parseEther('0.1')),
      destinationAddress: somebody(),
    })
  const paid = await pay()
  expect(paid.body.fees, JSON.stringify(paid.body)).toMatchObject({ service: '0', waived: true })
  await holder.post('/unlock', { quoteId: paid.body.quoteId })

  const recipientAddress = somebody()
  const asked = { depositAddress, recipientAddress, tokenId: String(id) }
  const { status, body: quote } = await holder.withdraw(asked)
  expect(status, JSON.stringify(quote)).toBe(200)
  quoteShape.strict().parse(quote)
  const key = (await (
    await fetch(`${world.service.url}/v1/.well-known/quote-signer-public-key`)
  ).json()) as never
  expect(await verifyQuote(quote as never, key)).toBe(true)
  expect(quote).toMatchObject({
    ...asked,
    outputToken: collectible,
    expectedOutput: '1',
    outputRecipient: recipientAddress,
    fees: { network: '0', service: '0', total: '0' },
    intents: [{ eoa: depositAddress, paymentMaxAmount: '0' }],
    delegations: [{ address: depositAddress }],
    signingReview: { intents: [{ userActionCallIndices: [0], simulationCallIndices: [0] }] },
  })
  expect(Number(quote.intents[0]!['combinedGas'])).toBeLessThanOrEqual(300_000)
  const calls = decodeCalls(quote.intents[0]!.executionData)
  expect(calls).toHaveLength(1)
  expect(calls[0]).toMatchObject({ to: collectible, value: 0n })
  expect(decodeFunctionData({ abi: erc721Abi, data: calls[0]!.data })).toEqual({
    functionName: 'safeTransferFrom',
    args: [depositAddress, recipientAddress, id],
  })
  expect(await holder.withdraw(asked)).toMatchObject({
    status: 400,
    body: { code: 'COLLECTIBLE_UNDER_WAY', quoteId: quote.quoteId },
  })

  const lost = await world.sumOf('gas_lost')
  expect(await holder.submit(quote)).toMatchObject({ status: 200 })
  const { body: pending } = await holder.get<{ pending: { kind: string }[] }>('/activities/pending')
  expect(pending.pending.find(({ kind }) => kind === 'NFT_WITHDRAW')).toMatchObject({
    quoteId: quote.quoteId,
    fees: [],
    fundingAddresses: [depositAddress],
  })
  await holder.until(quote.quoteId, 'confirmed')
  expect(await world.ownerOf(id)).toBe(recipientAddress)
  // No fee paid for it: it counts as unpaid although it succeeded.
  expect(await world.sumOf('gas_lost')).toBeGreaterThan(lost + 50_000n)
  expect(await world.sumOf('gas_at_risk')).toBe(0n)
  await waitUntilIndexed(world.service, world.payer)
  const { body: list } = await holder.get<{ activity: { quoteId: string }[] }>('/activities')
  expect(list.activity.find(({ quoteId }) => quoteId === quote.quoteId)).toMatchObject({
    kind: 'NFT_WITHDRAW',
    executionStatus: 'succeeded',
  })
  expect(await world.waiverOf(holder)).toEqual(NONE)
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  expect((await pay()).body.fees).toMatchObject({ waived: false })
  expect((await holder.withdraw(asked)).status).toBe(404)
})

it('a collectible that moves to another account waives its fees a day later, and is sent away once a day', async () => {
  const [first, second] = [await world.openHolder(), await world.openHolder()]
  const id = world.newId()
  const from = await first.receive()
  await world.payer.mintCollectible(collectible, from.address, id)
  await waitUntilIndexed(world.service, world.payer)
  expect((await first.verify()).active).toBe(true)
  const { address: depositAddress } = await second.receive()
  const { body: quote } = await first.withdraw({
    depositAddress: from.address,
    recipientAddress: depositAddress,
    tokenId: String(id),
  })
  expect(await first.submit(quote)).toMatchObject({ status: 200 })
  await first.until(quote.quoteId, 'confirmed')
  await waitUntilIndexed(world.service, world.payer)

  const held = await second.verify()
  expect(held).toMatchObject({ active: false, deposits: [{ tokenId: String(id), depositAddress }] })
  expect(await world.waiverOf(second)).toEqual(NONE)
  expect(await world.waiverOf(first)).toEqual(NONE)
  const away = { depositAddress, recipientAddress: somebody(), tokenId: String(id) }
  const refused = await second.withdraw(away)
  expect(refused).toMatchObject({ status: 400, body: { code: 'COLLECTIBLE_WITHDRAWN_LATELY' } })

  // A day later it counts, and can be sent away.
  await age(first, 25)
  await world.service.database.pool.query(sql.typeAlias('void')`
    update quote set submitted_at = submitted_at - interval '25 hours' where id = ${quote.quoteId}::uuid`)
  expect((await second.verify()).active).toBe(true)
  expect(await world.waiverOf(second)).toEqual(WAIVED)
  const { status, body } = await second.withdraw(away)
  expect(status, JSON.stringify(body)).toBe(200)
  // An unlocked quote has used nothing up.
  await second.post('/unlock', { quoteId: body.quoteId })
  const again = await second.withdraw(away)
  expect(again.status).toBe(200)
  const refreshed = await refresh(second, again.body.quoteId)
  expect(refreshed.body, JSON.stringify(refreshed.body)).toMatchObject({
    tokenId: String(id),
    depositAddress,
    recipientAddress: away.recipientAddress,
    fees: { total: '0' },
  })

  // The first quote was submitted in between: the refreshed one stays locked.
  await world.service.database.pool.query(sql.typeAlias('void')`
    update quote set submitted_at = now() where id = ${quote.quoteId}::uuid`)
  expect(await second.submit(refreshed.body as never)).toMatchObject({
    status: 400,
    body: { code: 'COLLECTIBLE_WITHDRAWN_LATELY' },
  })
  const { body: progress } = await second.get(`/relay-status/${String(refreshed.body['quoteId'])}`)
  expect(progress).toMatchObject({ status: 'locked' })
})

const refresh = async (holder: Holder, quoteId: string) => {
  const answer = await fetch(
    `${world.service.url}/v1/accounts/${holder.client.accountId}/quotes/${quoteId}/refresh`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${holder.client.token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: '{}',
    },
  )
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** The newest block is gone, and its transactions with it. */
async function takeBlockBack(): Promise<void> {
  for (const [method, params] of [
    ['anvil_reorg', [1, []]],
    ['anvil_dropAllTransactions', []],
    ['anvil_mine', ['0x1']],
  ])
    await world.payer.wallet.reader.request({ method, params } as never)
  await waitUntilIndexed(world.service, world.payer)
}

it('a reorg that takes the receive back takes the waiver back', async () => {
  const holder = await world.openHolder()
  const id = world.newId()
  const depositAddress = await holder.mint(collectible, id)
  expect((await holder.verify()).active).toBe(true)
  const { body: quote } = await holder.withdraw({
    depositAddress,
    recipientAddress: somebody(),
    tokenId: String(id),
  })
  await takeBlockBack()
  expect(await world.waiverOf(holder)).toEqual(NONE)
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  expect(await holder.submit(quote)).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
  // It comes once more: the address's record holds again.
  await world.payer.mintCollectible(collectible, depositAddress, id)
  await waitUntilIndexed(world.service, world.payer)
  expect(await world.waiverOf(holder)).toEqual(WAIVED)
})

it('a reorg that takes a move to another account back gives the first its waiver back', async () => {
  const holder = await world.openHolder()
  const id = world.newId()
  const from = await holder.receive()
  await world.payer.mintCollectible(collectible, from.address, id)
  await waitUntilIndexed(world.service, world.payer)
  expect((await holder.verify()).active).toBe(true)
  const { address } = await shared.receive()
  await holder.moveOn(collectible, from, address, id)
  expect(await world.waiverOf(holder)).toEqual(NONE)
  expect(await shared.verify()).toMatchObject({ active: false, deposits: [{ tokenId: String(id) }] })
  await takeBlockBack()
  expect(await shared.verify()).toEqual({ active: false, deposits: [] })
  expect(await world.waiverOf(holder)).toEqual(WAIVED)

  // Nothing is recorded at an address that has sent something, or that was made for the account's own payments.
  await holder.moveOn(collectible, from, somebody(), id)
  const stop = await world.service.services.addresses.issue(holder.client.accountId, 'fund-movement')
  await world.payer.mintCollectible(collectible, from.address, id + 1n)
  await world.payer.mintCollectible(collectible, stop.address, id + 2n)
  await waitUntilIndexed(world.service, world.payer)
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
})

it('nothing goes to recipients that lose it, join addresses, or were not confirmed', async () => {
  const holder = await world.openHolder()
  const id = world.newId()
  const depositAddress = await holder.mint(collectible, id)
  const to = (recipientAddress: unknown, more: object = {}) =>
    holder.withdraw({ depositAddress, recipientAddress, tokenId: String(id), ...more })
  expect((await to(somebody())).status).toBe(404)
  await holder.verify()
  const contract = await world.deployRecipient(0, zeroAddress)
  const { address: other } = await holder.receive()
  for (const [recipient, code] of [
    [zeroAddress, 'BURN_ADDRESS_RECIPIENT'],
    [collectible, 'TOKEN_CONTRACT_RECIPIENT'],
    [depositAddress, 'COLLECTIBLE_RECIPIENT_OWN'],
    [other, 'COLLECTIBLE_RECIPIENT_OWN'],
    [contract, 'CONTRACT_RECIPIENT'],
    ['vitalik.eth', 'BAD_REQUEST'],
  ] as const)
    expect(await to(recipient), recipient).toMatchObject({ status: 400, body: { code } })
  for (const tokenId of ['-1', '1.5', '0x10', String(2n ** 256n), '']) {
    const answer = await holder.withdraw({ depositAddress, recipientAddress: somebody(), tokenId })
    expect(answer.status, tokenId).toBe(400)
  }
  const body = { depositAddress, recipientAddress: somebody(), tokenId: String(id) }
  expect((await shared.withdraw(body)).status).toBe(404)
  expect((await holder.withdraw({ ...body, tokenId: String(id + 1n) })).status).toBe(404)
  expect((await holder.withdraw({ ...body, depositAddress: other })).status).toBe(404)
  expect((await to(contract, { acknowledgedContractRecipient: somebody() })).status).toBe(400)
  // Of many requests at once one gets a quote.
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => to(contract, { acknowledgedContractRecipient: contract })),
  )
  expect(
    answers
      .map((one) => String(one.body.code ?? one.status))
      .toSorted((one, other) => one.localeCompare(other)),
  ).toEqual(['200', ...Array<string>(4).fill('COLLECTIBLE_UNDER_WAY')])
})

it('a recipient that reverts, burns gas or re-enters takes nothing but the collectible', () =>
  meetHostileRecipients(world))

it('a recipient that turns only once the intent is sent burns gas once a day, and gets nothing', () =>
  meetTurningRecipient(world))

it('a contract that lies about its tokens records nothing, and withdraws nothing', () =>
  meetLyingContract(world))

it('a withdrawal waits while the budget of unpaid gas is used up', async () => {
  const holder = shared
  const id = world.newId()
  const depositAddress = await holder.mint(collectible, id)
  await holder.verify()
  const { body: quote } = await holder.withdraw({
    depositAddress,
    recipientAddress: somebody(),
    tokenId: String(id),
  })
  const { pool } = world.service.database
  await pool.query(sql.typeAlias('void')`
    insert into gas_lost (chain_id, share, gas) values (${CHAIN}, 'plain_new', 14900000)`)
  const { withdrawals } = world.service.services
  await expect
    .poll(async () => (await withdrawals.overview()).chains[0]!.unpaidGas?.lost.plain_new ?? 0n)
    .toBeGreaterThan(14_000_000n)
  expect(await holder.submit(quote)).toMatchObject({ status: 503, body: { code: 'GAS_BUDGET_USED_UP' } })
  await pool.query(sql.typeAlias('void')`delete from gas_lost where gas = 14900000`)
  expect(await holder.submit(quote)).toMatchObject({ status: 200 })
  await holder.until(quote.quoteId, 'confirmed')
})

it('GraphQL answers the same', async () => {
  const holder = shared
  const id = world.newId()
  const depositAddress = await holder.mint(collectible, id)
  const { accountId, token } = holder.client
  const graphql = async (query: string) =>
    (await post(`${world.service.url}/graphql`, { query }, { authorization: `Bearer ${token}` })).json
  const verified = await graphql(
    `mutation { verifyCollectible(accountId: "${accountId}") { active deposits { tokenId depositAddress } } }`,
  )
  const state = { active: true, deposits: [{ tokenId: String(id), depositAddress }] }
  expect(verified).toMatchObject({ data: { verifyCollectible: state } })
  const seen = await graphql(
    `{ account(accountId: "${accountId}") { collectible { active deposits { tokenId depositAddress } } } }`,
  )
  expect(seen).toMatchObject({ data: { account: { collectible: state } } })
  const recipient = somebody()
  const quoted = await graphql(
    `mutation { withdrawCollectible(accountId: "${accountId}", input: { depositAddress: "${depositAddress}",
      recipientAddress: "${recipient}", tokenId: "${id}" }) {
      quote { ... on NftWithdrawQuote { depositAddress recipientAddress tokenId }
        expiresAt signature intents { eoa } delegations { address } fees { total } } } }`,
  )
  expect(quoted, JSON.stringify(quoted)).toMatchObject({
    data: {
      withdrawCollectible: {
        quote: {
          depositAddress,
          recipientAddress: recipient,
          tokenId: String(id),
          intents: [{ eoa: depositAddress }],
          delegations: [{ address: depositAddress }],
          fees: { total: '0' },
        },
      },
    },
  })
})

it('the database stores a withdrawal together with the answer to its Idempotency-Key, or not at all', async () => {
  const id = world.newId()
  const depositAddress = await shared.mint(collectible, id)
  await shared.verify()
  const asked = { depositAddress, recipientAddress: somebody(), tokenId: String(id) }
  const { quoteId } = await expectAnswerKept(world.service, shared.client, '/collectible/withdraw', asked)
  expect(await shared.withdraw(asked)).toMatchObject({ body: { code: 'COLLECTIBLE_UNDER_WAY', quoteId } })
})

it('without collections nothing is waived', async () => {
  const { pool: database } = world.service.database
  const holder = shared
  await holder.mint(collectible, world.newId())
  const { accountId } = holder.client
  const collections = collectiblesConfig.parse([{ chainId: CHAIN, contract: collectible }])
  expect((await holder.verify()).active).toBe(true)
  const none = createCollectibles(database, [])
  expect(none.isConfigured).toBe(false)
  expect(await none.verify(accountId)).toEqual({ active: false, deposits: [] })
  const config = feeWaiversConfig.parse({ waiverDays: 3 })
  const waivers = (own: typeof collections) => createFeeWaivers(database, config, undefined, own)
  expect(await waivers([]).read(accountId)).toEqual(NONE)
  expect(await waivers(collections).read(accountId)).toEqual(WAIVED)
  // The offer to new accounts is not used up while a collectible waives the fees anyway.
  const claim = (own: typeof collections) =>
    database.transaction((transaction) => waivers(own).claimActivation(transaction, accountId))
  expect(await claim(collections)).toBe(false)
  expect(await claim([])).toBe(true)
})
