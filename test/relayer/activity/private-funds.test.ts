import { getAddress, zeroAddress, type Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { writeMissingAddresses } from '../../../db/account/addresses/rederive-addresses.ts'
import { sql } from '../../../db/connect-database.ts'
import { startProver, type Prover } from '../../../relayer/devnet/wallet/prover.ts'
import type { activities } from '../../../schema/activity/model.ts'
import { openNewClient, type Client } from '../../e2e/examples/client.ts'
import { signQuote, type Quote } from '../../e2e/examples/send.ts'
import { call } from '../../harness/call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../harness/chain-actors.ts'
import { proveRagequit } from '../../../relayer/devnet/wallet/encode-ragequit.ts'
import { post, relayBody, untilFinal } from '../../harness/relay-requests.ts'
import type { TestService } from '../../harness/start-service.ts'
import { loadRelayVectors, replayVectorDeposits, type RelayVector } from '../../vectors/load-relay-vectors.ts'
import { at } from '../../vectors/relay-story.ts'
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

test('the change of a withdrawal is taken back only once the user accepts what that publishes', async () => {
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
    pool: { ...pool_, aspStatus: 'pending' },
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
})
