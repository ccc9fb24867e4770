import { randomUUID } from 'node:crypto'
import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startService } from '../../gateway/compose.ts'
import type { RunningService } from '../../gateway/compose/build-service.ts'
import { createLogger } from '../../gateway/logging.ts'
import { makeSecrets } from '../../schema/client/pool/note.ts'
import { startProver, type Prover } from '../devnet/wallet/prover.ts'
import { encodeRelay } from '../../relayer/pool/relay/encode-relay.ts'
import { createVault } from '../../relayer/identity/create-vault.ts'
import { openMasterKeys } from '../../relayer/identity/open-master-keys.ts'
import { createPoolBooks } from '../../relayer/pool/book/pool-books.ts'
import type { ToldSpend } from '../../relayer/pool/book/book-content.ts'
import { askNode } from '../harness/ask-node.ts'
import { call } from '../harness/call.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../harness/chain-actors.ts'
import { SHARED_THREADS } from '../harness/share-threads.ts'
import type { TestService } from '../harness/start-service.ts'
import {
  openSpender,
  type Spender,
  type SpendQuote,
  type Told,
} from '../relayer/transact/pool-spending/open-spender.ts'
import { proveOut } from '../relayer/transact/pool-spending/relay-out.ts'
import { listedOf, pendingOf } from '../relayer/transact/pool-spending/test-told-activity.ts'
import { startSendingService } from '../relayer/transact/quotes/start-sending-service.ts'

let service: TestService
let payer: Payer
let prover: Prover

beforeAll(async () => {
  service = await startSendingService({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
  })
  payer = await openPayer(service, 5)
  prover = startProver()
})
afterAll(async () => {
  await prover?.close()
  await service?.stop()
})

const RECIPIENT = '0x00000000000000000000000000000000000A11cE'
const ether = (amount: string) => parseEther(amount)

async function quoteOf(owner: Spender, amount: string, ttl = 600): Promise<SpendQuote> {
  const { status, body } = await owner.quote({ type: 'incognito_send', amount: String(ether(amount)), ttl })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const submit = (owner: Spender, { quoteId }: SpendQuote, withdrawals: Told[]) =>
  owner.post<{ code?: string }>('/submit', { quoteId, withdrawals })
/** Waits until a spend has failed: blocks after its deadline say so. */
const untilFailed = (owner: Spender, quoteId: string) =>
  expect
    .poll(async () => {
      await askNode(payer.chain.rpcUrl, 'evm_mine')
      return (await owner.statusOf(quoteId)).status
    })
    .toBe('failed')
const notesOf = async (owner: Spender) =>
  (
    await owner.get<{ commitments: Record<string, unknown>[] }>(
      `/pool/commitments?chainId=31337&token=${zeroAddress}`,
    )
  ).body.commitments

it("a note that is spent otherwise than reported is shown as such, and its change by the chain's data", async () => {
  const owner = await openSpender(service, payer, prover, [ether('1')])
  const quote = await quoteOf(owner, '0.4')
  const [planned] = quote.withdrawals
  const { told } = owner.tell(planned!)
  expect(await submit(owner, quote, [told])).toMatchObject({ status: 200 })
  // Another device of the account, with secrets of its own for the change.
  await owner.relay(planned!, makeSecrets(), RECIPIENT)

  expect(await listedOf(owner, quote.quoteId)).toMatchObject({
    kind: 'INCOGNITO_SEND',
    executionStatus: 'manual_review',
  })
  expect(await pendingOf(owner, quote.quoteId)).toMatchObject({
    executionStatus: 'manual_review',
    lifecycle: { state: 'failed', reason: 'A note was spent otherwise than reported: compare pool/state' },
  })
  const [note] = await notesOf(owner)
  expect(note).toMatchObject({ withdrawalIndex: 1, value: planned!.changeValue, known: 'told' })
  expect(note!['commitment']).not.toBe(told.newCommitment)
  expect((await owner.pooled())['pendingWithdrawal']).toBe('0')
})

it('a note that was spent meanwhile takes no report any more, and a spend not reported in time fails', async () => {
  const owner = await openSpender(service, payer, prover, [ether('1'), ether('0.2')])
  const quote = await quoteOf(owner, '0.9')
  const [planned] = quote.withdrawals
  const { told, change } = owner.tell(planned!)
  // Blindly: the service cannot know whose note it was.
  await owner.relay({ ...planned!, withdraws: String(ether('0.3')) }, change, RECIPIENT)
  expect(await submit(owner, quote, [told])).toMatchObject({ status: 400, body: { code: 'NOTE_SPENT' } })
  expect(await listedOf(owner, quote.quoteId)).toBeUndefined()

  const late = await quoteOf(owner, '0.1', 10)
  const [first] = late.withdrawals
  expect(await submit(owner, late, [owner.tell(first!).told])).toMatchObject({ status: 200 })
  await untilFailed(owner, late.quoteId)
  expect(await listedOf(owner, late.quoteId)).toMatchObject({
    executionStatus: 'failed',
    txHash: null,
    lifecycle: { state: 'failed' },
  })
  expect(await pendingOf(owner, late.quoteId)).toMatchObject({
    lifecycle: { state: 'failed', reason: '0 of 1 withdrawals were relayed in time' },
  })
  // A proof that is relayed after the deadline is seen all the same.
  await owner.relay(first!, owner.tell(first!).change, RECIPIENT)
  expect(await listedOf(owner, late.quoteId)).toMatchObject({ executionStatus: 'manual_review' })
})

it("of several withdrawals activity shows the part that was relayed in time, by the chain's data", async () => {
  const owner = await openSpender(service, payer, prover, [ether('0.5'), ether('0.5')])
  const quote = await quoteOf(owner, '0.8', 45)
  expect(quote.withdrawals).toHaveLength(2)
  const made = quote.withdrawals.map((planned) => owner.tell(planned))
  expect(
    await submit(
      owner,
      quote,
      made.map(({ told }) => told),
    ),
  ).toMatchObject({ status: 200 })
  const [planned] = quote.withdrawals
  const before = await payer.wallet.reader.getBalance({ address: RECIPIENT })
  await owner.relay(planned!, made[0]!.change, RECIPIENT)
  const got = (await payer.wallet.reader.getBalance({ address: RECIPIENT })) - before
  expect(await owner.statusOf(quote.quoteId)).toMatchObject({ status: 'pending' })
  expect(await listedOf(owner, quote.quoteId)).toBeUndefined()

  await untilFailed(owner, quote.quoteId)
  const listed = await listedOf(owner, quote.quoteId)
  expect(listed).toMatchObject({ executionStatus: 'partial', transfer: { value: String(got) } })
  expect(listed!.fee!.value).toBe(String(BigInt(planned!.withdraws) - got))
  expect((await owner.pooled())['pendingWithdrawal']).toBe('0')
})

/** Over the same database and chains. */
async function openSecondInstance(): Promise<RunningService> {
  const other = await startService({
    config: { ...service.config, chains: [...service.parts.chains], port: 0 },
    logger: createLogger({ level: 'silent' }),
    ...SHARED_THREADS,
  })
  onTestFinished(() => other.stop())
  return other
}

it('two instances of the service answer the same state of a pool', async () => {
  const owner = await openSpender(service, payer, prover, [ether('1')])
  const other = await openSecondInstance()
  const path = `/v1/accounts/${owner.client.accountId}/pool/state?chainId=31337&token=${zeroAddress}`
  const headers = { authorization: `Bearer ${owner.client.token}` }
  const askAt = async (url: string) => {
    const answer = await fetch(`${url}${path}`, { headers })
    return {
      status: answer.status,
      etag: answer.headers.get('etag'),
      state: (await answer.json()) as unknown,
    }
  }
  const here = await askAt(service.url)
  expect(here).toMatchObject({ status: 200, etag: expect.stringMatching(/./) })
  await expect.poll(() => askAt(other.url)).toEqual(here)
})

it('of a submit and an unlock that meet at two instances of the service one counts', async () => {
  const owner = await openSpender(service, payer, prover, [ether('1')])
  const other = await openSecondInstance()
  const unlockThere = (quoteId: string) =>
    call(`${other.url}/v1/accounts/${owner.client.accountId}/unlock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.client.token}` },
      body: { quoteId },
    })
  for (let round = 0; round < 4; round += 1) {
    const quote = await quoteOf(owner, '0.4', 10)
    const { told } = owner.tell(quote.withdrawals[0]!)
    const mine = { ...told, nullifierHash: String(7_000 + round) }
    const [submitted, unlocked] = await Promise.all([
      submit(owner, quote, [mine]),
      unlockThere(quote.quoteId),
    ])
    const { code } = unlocked.json as { code?: string }
    const codes = [
      submitted.status === 200 ? 'done' : submitted.body.code,
      unlocked.status === 200 ? 'done' : code,
    ]
    expect([
      ['done', 'QUOTE_SUBMITTED'],
      ['QUOTE_EXPIRED', 'done'],
    ]).toContainEqual(codes)
    const { status } = await owner.statusOf(quote.quoteId)
    expect(status).toBe(codes[0] === 'done' ? 'queued' : 'unlocked')
    if (status === 'queued') await untilFailed(owner, quote.quoteId)
  }
})

it('a reorg that takes a spend back takes it out of the activity, and its note is locked again', async () => {
  const owner = await openSpender(service, payer, prover, [ether('1')])
  const quote = await quoteOf(owner, '0.4')
  const [planned] = quote.withdrawals
  const { told, change } = owner.tell(planned!)
  expect(await submit(owner, quote, [told])).toMatchObject({ status: 200 })
  const { note } = owner.notes[0]!
  const request = await proveOut(service, payer, prover, {
    note,
    amount: BigInt(planned!.withdraws),
    change,
    recipient: RECIPIENT,
  })
  // Sent by another program than the service, which does not send it again after a reorg.
  const { chain, wallet } = payer
  const send = async () => {
    const hash = await wallet.sender.sendTransaction({
      to: chain.entrypoint,
      data: encodeRelay(request as never),
    })
    const { status } = await wallet.reader.waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
    await waitUntilIndexed(service, payer)
    return hash
  }
  const ask = (method: string, ...params: unknown[]) => wallet.reader.request({ method, params } as never)
  const hash = await send()
  expect(await owner.statusOf(quote.quoteId)).toMatchObject({ status: 'confirmed', txHash: hash })
  expect(await listedOf(owner, quote.quoteId)).toMatchObject({ executionStatus: 'succeeded', txHash: hash })
  expect((await owner.pooled())['available']).toBe(planned!.changeValue)

  await ask('anvil_reorg', 1, [])
  await ask('anvil_dropAllTransactions')
  await ask('anvil_mine', '0x2')
  await waitUntilIndexed(service, payer)
  await expect
    .poll(() => owner.statusOf(quote.quoteId), { timeout: 30_000 })
    .toMatchObject({ status: 'queued' })
  expect(await listedOf(owner, quote.quoteId)).toBeUndefined()
  expect(await pendingOf(owner, quote.quoteId)).toMatchObject({ executionStatus: 'pending', txHash: null })
  expect(await notesOf(owner)).toMatchObject([{ value: String(note.value), known: 'deposit' }])
  expect((await owner.pooled())['pendingWithdrawal']).toBe(String(note.value))

  await send()
  expect(await listedOf(owner, quote.quoteId)).toMatchObject({ executionStatus: 'succeeded' })
  expect(await notesOf(owner)).toMatchObject([{ value: planned!.changeValue, known: 'told' }])
})

it("a book's content is bounded", async () => {
  const owner = await openSpender(service, payer, prover, [ether('1')])
  const { accountId } = owner.client
  const pool = { chainId: 31_337, address: owner.notes[0]!.pool }
  const { identity, storage } = service.config
  const books = createPoolBooks(
    service.database.pool,
    createVault(openMasterKeys(identity.masterKeys, storage.dataDir)),
  )
  for (let round = 0; round < 3; round += 1) {
    const { quoteId } = await quoteOf(owner, '0.4')
    await owner.post('/unlock', { quoteId })
  }
  const { content } = await books.read(accountId, pool)
  const [sample] = content.spends
  const copies = (count: number, isSubmitted: boolean) =>
    Array.from({ length: count }, (_, place): ToldSpend => ({
      ...sample!,
      id: randomUUID(),
      parts: sample!.parts.map((part) => ({
        ...part,
        spentBy: isSubmitted ? { nullifierHash: BigInt(place + 1), newCommitment: 1n } : null,
      })),
    }))
  const fill = (spends: ToldSpend[]) =>
    books.change(accountId, pool, async () => ({ content: { spends, settled: [] }, result: null }))

  await fill(copies(500, false))
  const { quoteId } = await quoteOf(owner, '0.4')
  expect((await books.read(accountId, pool)).content.spends.length).toBeLessThan(110)
  await owner.post('/unlock', { quoteId })

  await fill(copies(2_000, true))
  expect(await owner.quote({ type: 'incognito_send', amount: String(ether('0.4')) })).toMatchObject({
    status: 400,
    body: { code: 'TOLD_SPENDS_FULL' },
  })
  expect(await owner.get('/activities')).toMatchObject({ status: 200 })
})
