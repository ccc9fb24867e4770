import { setTimeout } from 'node:timers/promises'
import type { CommonQueryMethods } from 'slonik'
import { getAddress, zeroAddress, type Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { writeMissingAddresses } from '../../../db/account/addresses/rederive-addresses.ts'
import { insertFacts } from '../../../db/chain/indexer/write-facts.ts'
import { transferRow, type Facts, type TransferRow } from '../../../db/chain/indexer/rows.ts'
import { sql } from '../../../db/connect-database.ts'
import { recordOwnReviews } from '../../../relayer/pool/state/record-own-reviews.ts'
import { startProver, type Prover } from '../../../relayer/devnet/wallet/prover.ts'
import type { activities } from '../../../schema/activity/model.ts'
import { openNewClient, type Client } from '../../e2e/examples/client.ts'
import { signQuote, type Quote } from '../../e2e/examples/send.ts'
import { call } from '../../harness/call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../harness/chain-actors.ts'
import { proveRagequit } from '../../../relayer/devnet/wallet/encode-ragequit.ts'
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

test('what a pool pays to an address for others is a receipt with its origin, to one of its own a send to oneself', async () => {
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

test('an event of WithdrawalRelayed by anybody else makes no receipt private, and none where nothing was paid', async () => {
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

/** Says what an Entrypoint and a pool say, and pays what it is given. */
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

test('the change of a withdrawal is taken back once the user accepts what that publishes, and followers hear of it', async () => {
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
  await setTimeout(200)
  await recordOwnReviews(service.database.pool, pool, [{ label, status: 'declined' }])
  expect(await declined).toEqual(told('declined'))
  const recovered = next()
  await recoverChange()
  expect(await recovered).toEqual(told('recovered'))
  events.leave()
})

/** Takes back what a withdrawal left, once the user accepts what that publishes. */
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
  expect(await ask('/submit', await signQuote(depositor, quote))).toMatchObject({ status: 200 })

  const pool_ = { poolAddress: address, amount: String(change.value), commitmentId: String(note.label) }
  const pending = await get<{ pending: { quoteId: string }[] }>('/activities/pending')
  expect(pending.pending.find(({ quoteId }) => quoteId === quote.quoteId)).toMatchObject({
    kind: 'POOL_RECOVER',
    pool: { ...pool_, aspStatus: 'declined' },
    fundingAddresses: [story.depositor.address],
    transfers: [{ fromAddress: address, toAddress: story.depositor.address, value: String(change.value) }],
  })
  await expect.poll(async () => (await ofKind('POOL_RECOVER')).length, { timeout: 60_000 }).toBe(1)
  const [recovered] = await ofKind('POOL_RECOVER')
  expect(recovered).toMatchObject({
    quoteId: quote.quoteId,
    executionStatus: 'succeeded',
    pool: pool_,
    fee: { value: quote.fees.total },
    transfer: { fromAddress: address, toAddress: story.depositor.address, value: String(change.value) },
  })
}

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
    await expect.poll(async () => (await readCoins()).length, { timeout: 60_000 }).toBe(2)
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
  // A node with traces tells of the same coins, before the event or after it.
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

/** The native transfers to addresses, as traces told of them. */
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
    bridgeEvents: [],
    intents: [],
  }
}

const asTold = async (transfers: readonly TransferRow[]) =>
  transfers.map((transfer, place) => ({ ...transfer, source: 'log' as const, position: 1_000 + place }))
