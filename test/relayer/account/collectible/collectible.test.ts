import { readFileSync } from 'node:fs'
import {
  decodeFunctionData,
  erc721Abi,
  getContractAddress,
  parseEther,
  zeroAddress,
  type Address,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { insertGasAtRisk } from '../../../../db/chain/unpaid-gas/gas-budget.ts'
import { sql } from '../../../../db/connect-database.ts'
import { deriveAccounts } from '../../../../relayer/devnet/accounts.ts'
import { computeAddresses } from '../../../../relayer/devnet/deploy/devnet-addresses.ts'
import { connectWallet } from '../../../../relayer/devnet/wallet/connect-wallet.ts'
import { quote as quoteShape } from '../../../../schema/transact/quote-model.ts'
import { decodeCalls } from '../../../e2e/examples/check-quote.ts'
import { verifyQuote } from '../../../e2e/examples/verify-quote.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../harness/chain-actors.ts'
import { compileSolidity } from '../../../harness/compile-solidity.ts'
import { post } from '../../../harness/call.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { startSendingService } from '../../transact/quotes/start-sending-service.ts'
import { openHolder, type Holder } from './open-holder.ts'

const CHAIN = 31_337
const { collectible } = computeAddresses(deriveAccounts().deployer.address, CHAIN)
/** The first contract that this account will create. */
const liarOwner = deriveAccounts().clients[6]!
const liar = getContractAddress({ from: liarOwner.address, nonce: 0n })
const parties = compileSolidity(
  { 'parties.sol': readFileSync(new URL('collectible-parties.sol', import.meta.url), 'utf8') },
  { evmVersion: 'paris' },
)

let service: TestService
let payer: Payer
let lastId = 100n
const newId = () => (lastId += 10n)
const somebody = () => privateKeyToAddress(generatePrivateKey())
beforeAll(async () => {
  service = await startSendingService({
    collectibles: [
      { chainId: CHAIN, contract: collectible, imageUrl: 'https://pictures.example/{tokenId}.png' },
      { chainId: CHAIN, contract: liar, symbol: 'LIAR' },
    ],
  })
  payer = await openPayer(service, 5)
})
afterAll(() => service?.stop())

const ownerOf = (id: bigint) =>
  payer.wallet.reader.readContract({
    address: collectible,
    abi: erc721Abi,
    functionName: 'ownerOf',
    args: [id],
  })
const waiverOf = async (holder: Holder) =>
  (await holder.get<{ feeWaiver: unknown }>('/balance')).body.feeWaiver
const sumOf = (table: 'gas_lost' | 'gas_at_risk') =>
  service.database.pool.oneFirst(sql.type(z.object({ gas: z.bigint() }))`
    select coalesce(sum(gas), 0) as gas from ${sql.identifier([table])}`)
const age = (holder: Holder, hours: number) =>
  service.database.pool.query(sql.typeAlias('void')`
    update collectible_deposit set recorded_at = recorded_at - ${hours} * interval '1 hour'
    where account_id = ${holder.client.accountId}::uuid`)
async function deploy(name: string, args: readonly unknown[] = []): Promise<Address> {
  const { abi, bytecode } = parties[name]!
  const hash = await payer.wallet.sender.deployContract({ abi, bytecode, args })
  const { contractAddress } = await payer.wallet.reader.waitForTransactionReceipt({ hash })
  return contractAddress!
}
const NONE = { active: false, source: null, activeUntil: null }
const WAIVED = { active: true, source: 'collectible', activeUntil: null }

it('a collectible waives fees from its verification until it is sent away, for free', async () => {
  const holder = await openHolder(service, payer)
  const id = newId()
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  const depositAddress = await holder.mint(collectible, id)
  expect(await waiverOf(holder)).toEqual(NONE)
  const state = {
    active: true,
    deposits: [{ tokenId: String(id), imageUrl: `https://pictures.example/${id}.png`, depositAddress }],
  }
  expect(await holder.verify()).toEqual(state)
  const rows = () =>
    service.database.pool.any(sql.type(z.object({ recordedAt: z.date() }))`
      select recorded_at as "recordedAt" from collectible_deposit where account_id = ${holder.client.accountId}::uuid`)
  const recorded = await rows()
  expect(await Promise.all([holder.verify(), holder.verify()])).toEqual([state, state])
  expect(await rows()).toEqual(recorded)
  expect(recorded).toHaveLength(1)
  expect(await waiverOf(holder)).toEqual(WAIVED)
  expect((await holder.get('')).body['collectible']).toEqual(state)

  // A payment has no service fee while it is held.
  const funded = await holder.receive()
  await payer.payNative(funded.address, parseEther('1'))
  await waitUntilIndexed(service, payer)
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
  const key = (await (await fetch(`${service.url}/v1/.well-known/quote-signer-public-key`)).json()) as never
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

  const lost = await sumOf('gas_lost')
  expect(await holder.submit(quote)).toMatchObject({ status: 200 })
  const { body: pending } = await holder.get<{ pending: { kind: string }[] }>('/activities/pending')
  expect(pending.pending.find(({ kind }) => kind === 'NFT_WITHDRAW')).toMatchObject({
    quoteId: quote.quoteId,
    fees: [],
    fundingAddresses: [depositAddress],
  })
  await holder.until(quote.quoteId, 'confirmed')
  expect(await ownerOf(id)).toBe(recipientAddress)
  // Nobody paid for it: it counts as unpaid although it went well.
  expect(await sumOf('gas_lost')).toBeGreaterThan(lost + 50_000n)
  expect(await sumOf('gas_at_risk')).toBe(0n)
  await waitUntilIndexed(service, payer)
  const { body: list } = await holder.get<{ activity: { quoteId: string }[] }>('/activities')
  expect(list.activity.find(({ quoteId }) => quoteId === quote.quoteId)).toMatchObject({
    kind: 'NFT_WITHDRAW',
    executionStatus: 'succeeded',
  })
  expect(await waiverOf(holder)).toEqual(NONE)
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  expect((await pay()).body.fees).toMatchObject({ waived: false })
  expect((await holder.withdraw(asked)).status).toBe(404)
})

it('a collectible that moves to another account waives its fees a day later, and is sent away once a day', async () => {
  const [first, second] = [await openHolder(service, payer), await openHolder(service, payer)]
  const id = newId()
  const from = await first.receive()
  await payer.mintCollectible(collectible, from.address, id)
  await waitUntilIndexed(service, payer)
  expect((await first.verify()).active).toBe(true)
  const { address: depositAddress } = await second.receive()
  const { body: quote } = await first.withdraw({
    depositAddress: from.address,
    recipientAddress: depositAddress,
    tokenId: String(id),
  })
  expect(await first.submit(quote)).toMatchObject({ status: 200 })
  await first.until(quote.quoteId, 'confirmed')
  await waitUntilIndexed(service, payer)

  const held = await second.verify()
  expect(held).toMatchObject({ active: false, deposits: [{ tokenId: String(id), depositAddress }] })
  expect(await waiverOf(second)).toEqual(NONE)
  expect(await waiverOf(first)).toEqual(NONE)
  const away = { depositAddress, recipientAddress: somebody(), tokenId: String(id) }
  const refused = await second.withdraw(away)
  expect(refused).toMatchObject({ status: 400, body: { code: 'COLLECTIBLE_WITHDRAWN_LATELY' } })

  // A day later it counts, and can be sent away.
  await age(first, 25)
  await service.database.pool.query(sql.typeAlias('void')`
    update quote set submitted_at = submitted_at - interval '25 hours' where id = ${quote.quoteId}::uuid`)
  expect((await second.verify()).active).toBe(true)
  expect(await waiverOf(second)).toEqual(WAIVED)
  const { status, body } = await second.withdraw(away)
  expect(status, JSON.stringify(body)).toBe(200)
  // Whoever unlocks a quote has used nothing up.
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
})

const refresh = async (holder: Holder, quoteId: string) => {
  const answer = await fetch(
    `${service.url}/v1/accounts/${holder.client.accountId}/quotes/${quoteId}/refresh`,
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

it('a reorg that takes the receive back takes the waiver back', async () => {
  const holder = await openHolder(service, payer)
  const id = newId()
  const depositAddress = await holder.mint(collectible, id)
  expect((await holder.verify()).active).toBe(true)
  const { body: quote } = await holder.withdraw({
    depositAddress,
    recipientAddress: somebody(),
    tokenId: String(id),
  })
  const ask = (method: string, params: unknown[]) => payer.wallet.reader.request({ method, params } as never)
  await ask('anvil_reorg', [1, []])
  await ask('anvil_dropAllTransactions', [])
  await ask('anvil_mine', ['0x1'])
  await waitUntilIndexed(service, payer)
  expect(await waiverOf(holder)).toEqual(NONE)
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  expect(await holder.submit(quote)).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
  // It comes once more: what was recorded of the address holds again.
  await payer.mintCollectible(collectible, depositAddress, id)
  await waitUntilIndexed(service, payer)
  expect(await waiverOf(holder)).toEqual(WAIVED)
})

it('nothing goes to recipients that lose it, join addresses, or were not confirmed', async () => {
  const holder = await openHolder(service, payer)
  const id = newId()
  const depositAddress = await holder.mint(collectible, id)
  const to = (recipientAddress: unknown, more: object = {}) =>
    holder.withdraw({ depositAddress, recipientAddress, tokenId: String(id), ...more })
  expect((await to(somebody())).status).toBe(404)
  await holder.verify()
  const contract = await deploy('Recipient', [0, zeroAddress])
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
  const stranger = await openHolder(service, payer)
  const body = { depositAddress, recipientAddress: somebody(), tokenId: String(id) }
  expect((await stranger.withdraw(body)).status).toBe(404)
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

it('a recipient that reverts, burns gas or re-enters takes nothing but the collectible', async () => {
  const holder = await openHolder(service, payer)
  const [id, beside] = [newId(), lastId + 1n]
  const depositAddress = await holder.mint(collectible, id)
  await payer.mintCollectible(collectible, depositAddress, beside)
  await waitUntilIndexed(service, payer)
  expect((await holder.verify()).deposits).toHaveLength(2)
  const accomplice = somebody()
  const withdraw = async (mode: number) => {
    const recipient = await deploy('Recipient', [mode, accomplice])
    const answer = await holder.withdraw({
      depositAddress,
      recipientAddress: recipient,
      tokenId: String(id),
      acknowledgedContractRecipient: recipient,
    })
    return { recipient, ...answer }
  }
  expect(await withdraw(1)).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
  expect(await withdraw(3)).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })

  // One that reverts only once it is signed: it is refused before anything is sent.
  const turning = await withdraw(0)
  expect(turning.status, JSON.stringify(turning.body)).toBe(200)
  const hash = await payer.wallet.sender.writeContract({
    address: turning.recipient,
    abi: parties['Recipient']!.abi,
    functionName: 'turn',
    args: [1],
  })
  await payer.wallet.reader.waitForTransactionReceipt({ hash })
  expect(await holder.submit(turning.body)).toMatchObject({
    status: 400,
    body: { code: 'SIMULATION_FAILED' },
  })
  await holder.post('/unlock', { quoteId: turning.body.quoteId })
  expect(await sumOf('gas_at_risk')).toBe(0n)

  const entering = await withdraw(2)
  expect(entering.status, JSON.stringify(entering.body)).toBe(200)
  expect(await holder.submit(entering.body)).toMatchObject({ status: 200 })
  await holder.until(entering.body.quoteId, 'confirmed')
  expect(await ownerOf(id)).toBe(accomplice)
  expect(await ownerOf(beside)).toBe(depositAddress)
  await waitUntilIndexed(service, payer)
  expect(await waiverOf(holder)).toEqual(WAIVED)
})

it('a contract that lies about its tokens records nothing, and withdraws nothing', async () => {
  const { abi, bytecode } = parties['LyingCollectible']!
  const wallet = connectWallet(payer.chain, liarOwner.privateKey)
  const run = async (functionName: string, args: readonly unknown[]) => {
    const hash = await wallet.sender.writeContract({ address: liar, abi, functionName, args })
    await wallet.reader.waitForTransactionReceipt({ hash })
    await waitUntilIndexed(service, payer)
  }
  const deployed = await wallet.sender.deployContract({ abi, bytecode })
  await wallet.reader.waitForTransactionReceipt({ hash: deployed })
  const holder = await openHolder(service, payer)
  const { address } = await holder.receive()
  // It says to everybody that it sent a token, and to those who ask that somebody else has it.
  await run('claim', [zeroAddress, address, 1n])
  expect(await holder.verify()).toEqual({ active: false, deposits: [] })
  // The indexer was told that the address owns it; by now the contract says otherwise, or nothing at all.
  await run('say', [1n, address])
  await run('claim', [zeroAddress, address, 1n])
  for (const [change, args] of [
    ['say', [1n, somebody()]],
    ['refuse', [true]],
  ] as const) {
    await run(change, args)
    expect(await holder.verify(), change).toEqual({ active: false, deposits: [] })
  }
  await run('refuse', [false])
  await run('say', [1n, address])
  expect((await holder.verify()).deposits).toHaveLength(1)
  const answer = await holder.withdraw({
    depositAddress: address,
    recipientAddress: somebody(),
    tokenId: '1',
  })
  expect(answer).toMatchObject({ status: 400, body: { code: 'SIMULATION_FAILED' } })
})

it('a withdrawal waits while the budget of unpaid gas is used up', async () => {
  const holder = await openHolder(service, payer)
  const id = newId()
  const depositAddress = await holder.mint(collectible, id)
  await holder.verify()
  const { body: quote } = await holder.withdraw({
    depositAddress,
    recipientAddress: somebody(),
    tokenId: String(id),
  })
  const reference = crypto.randomUUID()
  const risk = { reference, chainId: CHAIN, share: 'new', gas: 2_400_000n, paidGas: null } as const
  await insertGasAtRisk(service.database.pool, risk)
  expect(await holder.submit(quote)).toMatchObject({ status: 503, body: { code: 'GAS_BUDGET_USED_UP' } })
  await service.database.pool.query(sql.typeAlias('void')`
    delete from gas_at_risk where reference = ${reference}::uuid`)
  expect(await holder.submit(quote)).toMatchObject({ status: 200 })
  await holder.until(quote.quoteId, 'confirmed')
})

it('GraphQL answers the same', async () => {
  const holder = await openHolder(service, payer)
  const id = newId()
  const depositAddress = await holder.mint(collectible, id)
  const { accountId, token } = holder.client
  const graphql = async (query: string) =>
    (await post(`${service.url}/graphql`, { query }, { authorization: `Bearer ${token}` })).json
  const verified = await graphql(
    `mutation { verifyCollectible(accountId: "${accountId}") { active deposits { tokenId depositAddress } } }`,
  )
  const state = { active: true, deposits: [{ tokenId: String(id), depositAddress }] }
  expect(verified).toMatchObject({ data: { verifyCollectible: state } })
  const seen = await graphql(
    `{ account(accountId: "${accountId}") { collectible { active deposits { tokenId depositAddress } } } }`,
  )
  expect(seen).toMatchObject({ data: { account: { collectible: state } } })
})
