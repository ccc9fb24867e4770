import { setTimeout } from 'node:timers/promises'
import type { CommonQueryMethods } from 'slonik'
import {
  createTestClient,
  getAddress,
  http,
  parseEther,
  walletActions,
  zeroAddress,
  type Address,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { writeMissingAddresses } from '../../../db/account/addresses/stealth-addresses.ts'
import { insertFacts } from '../../../db/chain/indexer/write-facts.ts'
import { transferRow, type Facts, type TransferRow } from '../../../db/chain/indexer/rows.ts'
import { sql } from '../../../db/connect-database.ts'
import { wasFundedPrivately } from '../../../db/transact/funding-candidates.ts'
import { recordOwnReviews } from '../../../relayer/pool/state/follow-reviews.ts'
import { startProver, type Prover } from '../../devnet/wallet/prover.ts'
import type { addressBalances } from '../../../schema/account/balances/model.ts'
import type { activities } from '../../../schema/activity/model.ts'
import { quote as quoteShape } from '../../../schema/transact/quote-model.ts'
import { checkPrivateOrigin } from '../../../schema/client/pool/check-origin.ts'
import { openNewClient, type Client } from '../../../schema/client/account/open-client.ts'
import type { Quote } from '../../../schema/client/quotes/send.ts'
import { deriveTagKeys, writeTag } from '../../../schema/client/account/write-tag.ts'
import { proveRagequit } from '../../../schema/client/pool/encode-ragequit.ts'
import { signUnchecked } from '../../harness/sign-unchecked.ts'
import { call } from '../../harness/call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../harness/chain-actors.ts'
import { openTestDatabase } from '../../harness/open-test-database.ts'
import { compileSolidity } from '../../harness/compile-solidity.ts'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { subscribe } from '../../harness/subscribe.ts'
import { post, relayBody, untilFinal } from '../../harness/relay-requests.ts'
import type { TestService } from '../../harness/start-service.ts'
import { loadRelayVectors, replayVectorDeposits, type RelayVector } from '../../vectors/load-relay-vectors.ts'
import { at } from '../../vectors/relay-story.ts'
import { seedAddresses } from '../chain/indexer/seed-addresses.ts'
import { startIndexer } from '../chain/indexer/start-indexer.ts'
import { startLyingDoor } from '../chain/indexer/start-lying-door.ts'
import { startSendingService } from '../transact/quotes/start-sending-service.ts'

let service: TestService
let payer: Payer
let client: Client
let prover: Prover
const vectors = loadRelayVectors()
const { story } = vectors
/** To an address for others, to one for payments of one's own, and of the token's pool. */
const [outside, stop, token] = [0, 1, 62].map((place): RelayVector => {
  const vector = at(vectors.relays, place)
  return { ...vector, recipient: getAddress(vector.recipient) }
}) as [RelayVector, RelayVector, RelayVector]

const home = () => `/v1/accounts/${client.accountId}`
const get = <Body>(path: string) => client.ask<Body>('GET', `${home()}${path}`)
const ask = async (path: string, body: unknown) => {
  const { status, json } = await call(`${service.url}${home()}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body,
  })
  return { status, body: json as Record<string, unknown> }
}
const list = async () => (await get<z.input<typeof activities>>('/activities')).activity
const ofKind = async (kind: string) => (await list()).filter((one) => one.kind === kind)

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  await replayVectorDeposits(vectors, service.parts.chains[0]!)
  prover = startProver()
  client = await openNewClient({ url: service.url })
  const addresses = [story.depositor.address, outside.recipient, stop.recipient, token.recipient]
  const { pool } = service.database
  await writeMissingAddresses(pool, { accountId: client.accountId, first: 0n, addresses })
  await pool.query(sql.typeAlias('void')`
    update stealth_address set generation_context = 'fund-movement' where address = ${stop.recipient}`)
  await waitUntilIndexed(service, payer)
  for (const vector of [outside, stop, token]) {
    const { body } = await post(service.url, '/relayer/request', await relayBody(vector))
    expect(body, JSON.stringify(body)).toMatchObject({ success: true })
    await untilFinal(service.url, String(body['requestId']))
  }
  await waitUntilIndexed(service, payer)
})
afterAll(async () => {
  await prover?.close()
  await service?.stop()
})

test("a pool's payment to another address is a receipt with its origin, and one to an own address a send to oneself", async () => {
  const received = await ofKind('RECEIVE')
  const [self, ...more] = await ofKind('INCOGNITO_SELF_SEND')
  expect(more).toEqual([])
  expect(self).toMatchObject({
    isLikelySpam: false,
    transfer: { toAddress: stop.recipient, fromAddress: story.entrypoint, tokenAddress: zeroAddress },
  })
  const native = received.find(({ transfer }) => transfer?.toAddress === outside.recipient)
  const dollars = received.find(({ transfer }) => transfer?.toAddress === token.recipient)
  for (const [item, pool] of [
    [native, story.pools.native.pool],
    [dollars, story.pools.token.pool],
  ] as const)
    expect(item?.transfer?.provenance?.outputSystemTags).toMatchObject([
      {
        type: 'privacy-provider-origin',
        provider: 'privacy-pools',
        explanationKey: 'privacy_provider_origin',
        evidence: {
          txHash: item!.txHash,
          receiveFromAddress: story.entrypoint,
          entrypointAddress: story.entrypoint,
          poolAddress: pool,
        },
      },
    ])
  // A client checks it by a node, and believes no other contracts.
  const known = { entrypoint: story.entrypoint, pools: Object.values(story.pools).map((one) => one.pool) }
  for (const item of [native, dollars]) {
    const { toAddress, value, provenance } = item!.transfer!
    const [tag] = provenance!.outputSystemTags
    const check = (payee: string, believed = known) =>
      checkPrivateOrigin(payer.wallet.reader, getAddress(payee), tag!.evidence, believed)
    expect(String(await check(toAddress))).toBe(value)
    await expect(check(stop.recipient)).rejects.toThrow('somebody else')
    await expect(check(toAddress, { ...known, pools: [] })).rejects.toThrow('unknown pool')
  }
  // The addresses now hold the same money.
  const { addresses } = await get<z.input<typeof addressBalances>>('/address-balances')
  for (const [recipient, item] of [
    [outside.recipient, native],
    [token.recipient, dollars],
  ] as const)
    expect(
      addresses.find(({ address }) => address === recipient)?.balances.map((one) => one.provenance),
    ).toMatchObject([
      {
        outputSystemTags: item?.transfer?.provenance?.outputSystemTags,
        displayContext: { reason: 'platform_action_output', actionTypes: ['INCOGNITO_SELF_SEND'] },
        editableSource: { id: `private:${recipient}`, tagEligibility: 'private_origin', tagEditable: false },
      },
    ])
  // Deposits of the account's own are none.
  for (const deposit of await ofKind('POOL_DEPOSIT'))
    expect(deposit.transfer?.provenance?.outputSystemTags).toEqual([])
})

test('an address says when it was last paid out of a pool', async () => {
  const { addresses } = await get<{
    addresses: { address: Address; lastPrivatelyFundedAt: string | null }[]
  }>('/address-balances')
  const of = new Map(addresses.map(({ address, lastPrivatelyFundedAt }) => [address, lastPrivatelyFundedAt]))
  const [self] = await ofKind('INCOGNITO_SELF_SEND')
  expect(of.get(stop.recipient)).toBe(self!.date)
  expect(of.get(outside.recipient)).not.toBeNull()
  expect(of.get(token.recipient)).not.toBeNull()
  expect(of.get(story.depositor.address)).toBeNull()
})

test('an address has private funds of a token while nothing else paid it since', async () => {
  const { pool } = service.database
  const paid = await pool.oneFirst(sql.type(z.object({ token: z.string() }))`
    select distinct token from transfer
    where to_address = ${token.recipient} and standard = 'erc20' and amount > 0`)
  const about = { chainId: payer.chain.chainId, address: token.recipient, token: paid }
  expect(await wasFundedPrivately(pool, about)).toBe(true)
  expect(await wasFundedPrivately(pool, { ...about, address: story.depositor.address })).toBe(false)
  // Of another token it has nothing.
  expect(await wasFundedPrivately(pool, { ...about, token: zeroAddress })).toBe(false)
})

test("a foreign contract's WithdrawalRelayed makes no receipt private, nor does one without a payment", async () => {
  const { abi, bytecode } = compileSolidity({ 'forger.sol': FORGER }, { evmVersion: 'cancun' })['Forger']!
  const { sender, reader } = payer.wallet
  const deployed = await sender.deployContract({ abi, bytecode })
  const { contractAddress: forger } = await reader.waitForTransactionReceipt({ hash: deployed })
  const forge = async (recipient: Address, paid: bigint) => {
    const args = [recipient, NATIVE_ASSET, 10n ** 18n]
    const hash = await sender.writeContract({
      address: forger!,
      abi,
      functionName: 'relay',
      args,
      value: paid,
    })
    expect((await reader.waitForTransactionReceipt({ hash })).status).toBe('success')
    return hash
  }
  const before = (await list()).length
  const { address: paidAddress } = await client.receive()
  const paid = await forge(paidAddress, 10n ** 18n)
  await forge(outside.recipient, 0n)
  await waitUntilIndexed(service, payer)
  const items = await list()
  expect(items.length - before).toBe(1)
  const receipt = items.find(({ txHash }) => txHash === paid)
  expect(receipt).toMatchObject({ kind: 'RECEIVE', transfer: { fromAddress: getAddress(forger!) } })
  expect(receipt?.transfer?.provenance?.outputSystemTags).toEqual([])
  const { addresses } = await get<{
    addresses: { address: Address; lastPrivatelyFundedAt: string | null }[]
  }>('/address-balances')
  expect(addresses.find(({ address }) => address === getAddress(paidAddress))?.lastPrivatelyFundedAt).toBe(
    null,
  )
})

/** Emits the events of an Entrypoint and a pool, and pays out its funds. */
const FORGER = `// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;
contract Forger {
    event Withdrawn(address indexed _processooor, uint256 _value, uint256 _spentNullifier, uint256 _newCommitment);
    event WithdrawalRelayed(
        address indexed _relayer, address indexed _recipient, address indexed _asset, uint256 _amount, uint256 _feeAmount
    );
    function relay(address recipient, address asset, uint256 amount) external payable {
        emit Withdrawn(address(this), amount, 1, 2);
        if (msg.value > 0) {
            (bool isPaid,) = recipient.call{value: msg.value}("");
            require(isPaid);
        }
        emit WithdrawalRelayed(msg.sender, recipient, asset, amount, 0);
    }
}`

test('the change of a withdrawal is taken back once the user accepts the published link, and followers hear of it', async () => {
  const { label } = at(story.deposits, at(story.relays, 0).deposit).note
  const query = `subscription { poolDepositReviewed(accountId: "${client.accountId}") { commitmentId standing } }`
  const stranger = await openNewClient({ url: service.url })
  const refused = await subscribe(service.url, query, stranger.token)
  expect(await refused.next()).toMatchObject({ errors: [{ extensions: { status: 403 } }] })
  const events = await subscribe(service.url, query, client.token)
  const next = async () => (await events.next())?.['data']
  const told = (standing: string) => ({ poolDepositReviewed: { commitmentId: String(label), standing } })
  const pool = { chainId: story.chainId, address: story.pools.native.pool }
  // The subscription is active once it is looked for the first time.
  const declined = next()
  await setTimeout(2_000)
  await recordOwnReviews(service.database.pool, pool, [{ label, status: 'declined' }])
  expect(await declined).toEqual(told('declined'))
  const recovered = next()
  await recoverChange()
  expect(await recovered).toEqual(told('recovered'))
  events.leave()
})

/** Takes back the remainder of a withdrawal, once the user accepts the published link. */
async function recoverChange(): Promise<void> {
  const relay = at(story.relays, 0)
  const { note, pool } = at(story.deposits, relay.deposit)
  const { address } = { address: story.pools[pool].pool }
  const spent = await ask('/pool-recover/prepare', {
    commitmentId: String(note.label),
    recoverCalldata: await proveRagequit(prover, note),
  })
  expect(spent).toMatchObject({ status: 400, body: { code: 'NOTE_SPENT' } })
  const change = { ...relay.change, label: note.label, value: note.value - relay.amount }
  const body = {
    commitmentId: `${note.label}-1`,
    recoverCalldata: await proveRagequit(prover, change),
  }
  expect(await ask('/pool-recover/prepare', body)).toMatchObject({
    status: 400,
    body: { code: 'PUBLIC_LINK' },
  })
  const quoted = await ask('/pool-recover/prepare', { ...body, acknowledgedPublicLink: true })
  expect(quoted, JSON.stringify(quoted.body)).toMatchObject({
    status: 200,
    body: { amountIn: String(change.value), poolAddress: address, commitmentId: `${note.label}-1` },
  })
  const quote = quoted.body as never as Quote & { fees: { total: string } }
  const depositor = { ...client, controlOf: () => privateKeyToAccount(story.depositor.privateKey) }
  expect(await ask('/submit', await signUnchecked(depositor, quote))).toMatchObject({ status: 200 })

  const pool_ = { poolAddress: address, amount: String(change.value), commitmentId: String(note.label) }
  const pending = await get<{ pending: { quoteId: string }[] }>('/activities/pending')
  expect(pending.pending.find(({ quoteId }) => quoteId === quote.quoteId)).toMatchObject({
    kind: 'POOL_RECOVER',
    pool: { ...pool_, aspStatus: 'declined' },
    fundingAddresses: [story.depositor.address],
    transfers: [{ fromAddress: address, toAddress: story.depositor.address, value: String(change.value) }],
  })
  await expect
    .poll(async () => (await ofKind('POOL_RECOVER')).length, { timeout: 60_000, interval: 300 })
    .toBe(1)
  const [recovered] = await ofKind('POOL_RECOVER')
  expect(recovered).toMatchObject({
    quoteId: quote.quoteId,
    executionStatus: 'succeeded',
    pool: pool_,
    fee: { value: quote.fees.total },
    transfer: { fromAddress: address, toAddress: story.depositor.address, value: String(change.value) },
  })
}

test('addresses that pools paid are joined only where the user accepts exactly these', async () => {
  const paying = [outside.recipient, stop.recipient]
  const balances = await Promise.all(
    paying.map((address) => payer.wallet.reader.getBalance({ address: getAddress(address) })),
  )
  const [most] = balances.toSorted((one, other) => (one > other ? -1 : 1))
  const quote = (more: Record<string, unknown>) =>
    ask('/quote', {
      type: 'send',
      chainId: payer.chain.chainId,
      token: zeroAddress,
      amount: String(most),
      destinationAddress: privateKeyToAccount(generatePrivateKey()).address,
      spendableAddresses: paying,
      ...more,
    })
  const refused = await quote({})
  expect(refused).toMatchObject({ status: 400, body: { code: 'PROVENANCE_MIX' } })
  const { addresses, maxSendable } = refused.body as { addresses: string[]; maxSendable: string }
  expect(addresses.toSorted()).toEqual([...paying].toSorted())
  // One of them alone can pay that, and any more it cannot.
  const { status, body } = await quote({ amount: maxSendable })
  expect([status, (body['intents'] as unknown[]).length], JSON.stringify(body)).toEqual([200, 1])
  await ask('/unlock', { quoteId: body['quoteId'] })
  expect(
    await ask('/max-spendable', {
      type: 'send',
      chainId: payer.chain.chainId,
      token: zeroAddress,
      spendableAddresses: paying,
    }),
  ).toMatchObject({
    body: { maxAmount: maxSendable, spendableCount: 1 },
  })
  for (const acknowledgedProvenanceMix of [
    [outside.recipient, token.recipient],
    [...paying, token.recipient],
  ])
    expect(await quote({ acknowledgedProvenanceMix })).toMatchObject({
      status: 400,
      body: { code: 'PROVENANCE_MIX' },
    })

  const accepted = await quote({ acknowledgedProvenanceMix: addresses.map((one) => one.toLowerCase()) })
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
  const { selectedFundingSources, provenanceLabelGroups, fundingCaveats } = quoteShape.parse(accepted.body)
  expect(fundingCaveats).toEqual([{ kind: 'addresses_joined', addressCount: 2 }])
  for (const { address, provenance, addressSummary } of selectedFundingSources) {
    expect(provenance).toMatchObject({
      status: 'resolved',
      outputSystemTags: [{ evidence: { receiveFromAddress: story.entrypoint } }],
      association: { status: 'clean' },
      editableSource: { id: `private:${address}`, tagEligibility: 'private_origin' },
    })
    expect(addressSummary).toMatchObject({
      trustedReceiveActionCount: 1,
      trustedReceiveActionTypes: ['INCOGNITO_SELF_SEND'],
    })
    const group = provenanceLabelGroups?.find(
      ({ labelGroupId }) => labelGroupId === provenance?.funding.labelGroupId,
    )
    expect(group?.sources).toEqual([provenance?.editableSource])
  }
  await ask('/unlock', { quoteId: accepted.body['quoteId'] })
})

test('native coins that a pool paid are seen without traces, and never twice', async () => {
  const [chain] = service.parts.chains
  const database = await openTestDatabase()
  const door = await startLyingDoor(chain!.rpcUrls[0]!, 1, /^(?:debug|trace)_/)
  await seedAddresses(database.pool, [outside.recipient, stop.recipient])
  const readCoins = () =>
    database.pool.any(sql.type(
      z.object({ to: z.string(), from: z.string(), amount: z.bigint(), source: z.string() }),
    )`
      select to_address as "to", from_address as "from", amount, source from transfer
      where standard = 'native' order by to_address`)
  const [first, second] = [outside, stop]
    .map((vector) => vector.recipient)
    .toSorted((one, other) => one.localeCompare(other))
  const running = await startIndexer(database.pool, chain!, {}, { rpcUrls: [door.url] })
  try {
    await expect.poll(async () => (await readCoins()).length, { timeout: 60_000, interval: 300 }).toBe(2)
  } finally {
    await running.stop()
    await door.close()
  }
  const told = await readCoins()
  expect(told.map(({ to, from, source }) => ({ to, from, source }))).toEqual(
    [first, second].map((to) => ({ to, from: story.entrypoint, source: 'log' })),
  )
  const reader = payer.wallet.reader
  expect(told.map(({ amount }) => amount)).toEqual(
    await Promise.all([first, second].map((address) => reader.getBalance({ address: address! }))),
  )
  // A node with traces reports the same coins, before the event or after it.
  const facts = await readFacts(service.database.pool, [outside.recipient, stop.recipient])
  await database.pool.transaction(async (transaction) => {
    for (let turn = 0; turn < 2; turn += 1) await insertFacts(transaction, facts)
    await insertFacts(transaction, { ...facts, transfers: await asTold(facts.transfers) })
  })
  expect((await readCoins()).map(({ to, source }) => ({ to, source }))).toEqual(
    [first, second].map((to) => ({ to, source: 'call' })),
  )
  await database.drop()
})

/** Reads the native transfers to addresses as traces reported them. */
async function readFacts(pool: CommonQueryMethods, addresses: readonly string[]): Promise<Facts> {
  const transfers = await pool.any(sql.type(transferRow)`
    select chain_id as "chainId", block_hash as "blockHash", source, position, item, block_number as "blockNumber",
      block_time as "blockTime", tx_hash as "txHash", standard, token, token_id as "tokenId", from_address as "from",
      to_address as "to", amount
    from transfer where to_address = any(${sql.array([...addresses], 'text')}) and source = 'call'`)
  expect(transfers).toHaveLength(2)
  return {
    transfers,
    hasRelayed: true,
    txs: [],
    addressTxs: [],
    poolEvents: [],
    cashEvents: [],
    bridgeEvents: [],
    intents: [],
  }
}

const asTold = async (transfers: readonly TransferRow[]) =>
  transfers.map((transfer, place) => ({ ...transfer, source: 'log' as const, position: 1_000 + place }))

/** Two addresses that were paid in the open, with a coin each, and one that a pool paid. */
async function openMixedFunds() {
  const open: Address[] = []
  for (let count = 0; count < 2; count += 1) {
    const address = getAddress((await client.receive()).address)
    await payer.payNative(address, parseEther('1'))
    open.push(address)
  }
  await waitUntilIndexed(service, payer)
  return [...open, outside.recipient] as [Address, Address, Address]
}
const quoteOf = async (amount: bigint, more: Record<string, unknown>) => {
  const { status, body } = await ask('/quote', {
    type: 'send',
    chainId: payer.chain.chainId,
    token: zeroAddress,
    amount: String(amount),
    destinationAddress: privateKeyToAccount(generatePrivateKey()).address,
    ...more,
  })
  return { status, body: body as Record<string, unknown> & Quote }
}
const refresh = async (quoteId: string) => {
  const { status, json } = await call(`${service.url}${home()}/quotes/${quoteId}/refresh`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'idempotency-key': crypto.randomUUID() },
    body: {},
  })
  return { status, body: json as unknown as Record<string, unknown> & Quote }
}
const payersOf = ({ intents }: Quote) => new Set(intents.map(({ eoa }) => eoa))
const unlock = ({ quoteId }: Quote) => ask('/unlock', { quoteId })

test('public payments of several payers pay together, as the quote says, unless tags of unlike labels keep them apart', async () => {
  const another = await openPayer(service, 8)
  const [one, other] = [await client.receive(), await client.receive()].map(({ address }) =>
    getAddress(address),
  ) as [Address, Address]
  await payer.payNative(one, parseEther('1'))
  await another.payNative(other, parseEther('1'))
  await waitUntilIndexed(service, payer)
  const spendableAddresses = [one, other]
  const together = await quoteOf(parseEther('1.5'), { spendableAddresses })
  expect(payersOf(together.body)).toEqual(new Set(spendableAddresses))
  expect(together.body.fundingCaveats).toEqual([{ kind: 'addresses_joined', addressCount: 2 }])
  await unlock(together.body)

  const keys = await deriveTagKeys(generatePrivateKey())
  const isRefused = { status: 400, body: { code: 'PROVENANCE_MIX', addresses: expect.any(Array) } }
  await writeTag(client, keys, one, 'rent')
  expect(await quoteOf(parseEther('1.5'), { spendableAddresses })).toMatchObject(isRefused)
  await writeTag(client, keys, other, 'salary')
  expect(await quoteOf(parseEther('1.5'), { spendableAddresses })).toMatchObject(isRefused)
  await writeTag(client, keys, other, 'rent')
  const alike = await quoteOf(parseEther('1.5'), { spendableAddresses })
  expect(payersOf(alike.body)).toEqual(new Set(spendableAddresses))
  await unlock(alike.body)
})

test('funds in the open pay together, those of a pool with them on consent alone, which survives a refresh', async () => {
  const [first, second, hidden] = await openMixedFunds()
  const spendableAddresses = [first, second, hidden]
  const { body } = await quoteOf(parseEther('1.5'), { spendableAddresses })
  expect(payersOf(body)).toEqual(new Set([first, second]))
  await unlock(body)

  const held = await payer.wallet.reader.getBalance({ address: hidden })
  const amount = parseEther('2') + held / 2n
  const refused = await quoteOf(amount, { spendableAddresses })
  expect(refused).toMatchObject({ status: 400, body: { code: 'PROVENANCE_MIX' } })
  const addresses = refused.body['addresses'] as Address[]
  expect(new Set(addresses)).toEqual(new Set(spendableAddresses))
  // The refusal's maxSendable assumes no mix, even when an insufficient mix was accepted.
  const other = await quoteOf(amount, { spendableAddresses, acknowledgedProvenanceMix: [first, hidden] })
  expect(other.body).toMatchObject({ code: 'PROVENANCE_MIX', maxSendable: refused.body['maxSendable'] })

  // A swap whose price is fixed joins addresses as well; its preview says that they cannot pay as they are.
  const { wrappedNative: tokenOut, chainId } = payer.chain
  const wrap = { chainId, tokenIn: zeroAddress, tokenOut, amountIn: String(amount), spendableAddresses }
  expect(await ask('/quote', { type: 'swap', ...wrap })).toMatchObject({ body: { code: 'PROVENANCE_MIX' } })
  expect(await ask('/swap-preview', wrap)).toMatchObject({ status: 200, body: { rateOnly: true } })
  // Each deposit into a pool has a transaction of its own.
  const asked = { chainId, token: zeroAddress, spendableAddresses }
  expect(await ask('/max-spendable', { type: 'send', ...asked })).toMatchObject({
    body: { spendableCount: 2 },
  })
  expect(await ask('/max-spendable', { type: 'pool_deposit', ...asked })).toMatchObject({
    body: { spendableCount: 3 },
  })

  const stranger = await openNewClient({ url: service.url })
  const foreign = getAddress((await stranger.receive()).address)
  expect(
    await quoteOf(amount, { spendableAddresses, acknowledgedProvenanceMix: [...addresses, foreign] }),
  ).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })

  const agreed = await quoteOf(amount, { spendableAddresses, acknowledgedProvenanceMix: addresses })
  expect(agreed.status, JSON.stringify(agreed.body)).toBe(200)
  let { body: latest } = agreed
  for (let turn = 0; turn < 2; turn += 1) {
    const again = await refresh(latest.quoteId)
    expect(again.status, JSON.stringify(again.body)).toBe(200)
    expect(payersOf(again.body)).toEqual(new Set(addresses))
    latest = again.body
  }
  await unlock(latest)
})

/** The vectors' recipients have no keys: the devnet's node sends for them. */
async function moveAsOwner(from: Address, to: Address): Promise<void> {
  const owner = createTestClient({ mode: 'anvil', transport: http(payer.chain.rpcUrl) }).extend(walletActions)
  await owner.impersonateAccount({ address: from })
  const value = (await payer.wallet.reader.getBalance({ address: from })) / 2n
  const hash = await owner.sendTransaction({ account: from, chain: null, to, value })
  expect((await payer.wallet.reader.waitForTransactionReceipt({ hash })).status).toBe('success')
  await waitUntilIndexed(service, payer)
}

test('money out of a pool that arrives after the quote changes nothing of it, and no refresh takes it along', async () => {
  const [first, second, hidden] = await openMixedFunds()
  const { body } = await quoteOf(parseEther('1.9'), { spendableAddresses: [first, second] })
  expect(payersOf(body)).toEqual(new Set([first, second]))
  await moveAsOwner(hidden, first)
  const refused = await refresh(body.quoteId)
  expect(refused).toMatchObject({ status: 400, body: { code: 'PROVENANCE_MIX' } })
  expect(await ask('/submit', await signUnchecked(client, body))).toMatchObject({ status: 200 })
  await expect
    .poll(() => get(`/relay-status/${body.quoteId}`), { timeout: 60_000 })
    .toMatchObject({ status: 'confirmed' })
})
