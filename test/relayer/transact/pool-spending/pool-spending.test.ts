import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import { commitmentOf, makeSecrets, type NoteSecrets } from '../../../../relayer/devnet/wallet/note.ts'
import { startProver, type Prover } from '../../../../relayer/devnet/wallet/prover.ts'
import { hashNullifier } from '../../../../relayer/pool/state/note-hashes.ts'
import { quote as quoteShape } from '../../../../schema/transact/quote-model.ts'
import { verifyQuote } from '../../../e2e/examples/verify-quote.ts'
import { openPayer, type Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import { openDepositor, type Depositor, type OwnNote } from '../kinds/pool-recover/open-depositor.ts'
import { startSendingService } from '../quotes/start-sending-service.ts'
import { relayOut } from './relay-out.ts'

let service: TestService
let payer: Payer
let prover: Prover
let owner: Depositor
let notes: OwnNote[]

beforeAll(async () => {
  service = await startSendingService({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
  })
  payer = await openPayer(service, 5)
  prover = startProver()
  owner = await openDepositor(service, payer)
  notes = [
    await owner.deposit(NATIVE_ASSET, parseEther('1')),
    await owner.deposit(NATIVE_ASSET, parseEther('0.5')),
  ]
  await untilAvailable(worthOf(notes))
})
afterAll(async () => {
  await prover?.close()
  await service?.stop()
})

async function untilAvailable(amount: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
    const { available } = await pooled()
    if (available === amount) return
    if (Date.now() > deadline) throw new Error(`${available} is available instead of ${amount}`)
  }
}

const worthOf = (some: readonly OwnNote[]) => String(some.reduce((sum, { note }) => sum + note.value, 0n))

async function pooled(): Promise<Record<string, string>> {
  const { body } = await owner.get<{
    balances: { token: string; incognito: { pooled: Record<string, string> } }[]
  }>('/balance')
  return body.balances.find(({ token }) => token === zeroAddress)?.incognito.pooled ?? {}
}

interface Withdrawal {
  commitmentId: string
  label: string
  receives: string
  withdraws: string
  changeValue: string
  recipient?: string
}
interface SpendQuote {
  quoteId: string
  signature: `0x${string}`
  expectedOutput: string
  withdrawals: Withdrawal[]
  crowd: number
  privacyCaveats: { kind: string }[]
  fees: { network: string; total: string }
}
const ask = (body: Record<string, unknown>) =>
  owner.post<SpendQuote & { code?: string; [name: string]: unknown }>('/quote', {
    chainId: 31_337,
    token: zeroAddress,
    ...body,
  })
const statusOf = async (quoteId: string) =>
  (await owner.get<{ status: string; txHash: string | null }>(`/relay-status/${quoteId}`)).body

/** What the wallet tells of a withdrawal, with the secrets of its change. */
function tell({ commitmentId, label }: Withdrawal) {
  const found = notes.find(({ note }) => String(note.label) === label)!
  const change = makeSecrets()
  const value = found.note.value
  return { found, change, commitmentId, value, nullifierHash: String(hashNullifier(found.note.nullifier)) }
}
const newCommitmentOf = ({ label, changeValue }: Withdrawal, change: NoteSecrets) =>
  String(commitmentOf({ ...change, label: BigInt(label), value: BigInt(changeValue) }))

const relay = (withdrawal: Withdrawal, change: NoteSecrets, recipient: string) =>
  relayOut(service, payer, prover, {
    note: notes.find(({ note }) => String(note.label) === withdrawal.label)!.note,
    amount: BigInt(withdrawal.withdraws),
    change,
    recipient,
  })

it('a told spend locks its note, is noted with its hashes, and is confirmed by what the chain shows', async () => {
  const recipient = '0x00000000000000000000000000000000000a11ce'
  const amount = parseEther('0.7')
  const { status, body: quote } = await ask({
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
  expect(await pooled()).toMatchObject({
    available: String(notes[1]!.note.value),
    pendingWithdrawal: String(notes[0]!.note.value),
  })
  expect(await ask({ type: 'incognito_send', amount: String(amount) })).toMatchObject({
    status: 409,
    body: { code: 'QUOTE_LOCK_CONFLICT' },
  })

  const { change, commitmentId, nullifierHash } = tell(withdrawal!)
  const told = { commitmentId, nullifierHash, newCommitment: newCommitmentOf(withdrawal!, change) }
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
  expect(await statusOf(quote.quoteId)).toMatchObject({ status: 'queued', txHash: null })

  await relay(withdrawal!, change, recipient)
  expect(await statusOf(quote.quoteId)).toMatchObject({ status: 'confirmed' })
  expect(await pooled()).toMatchObject({
    available: String(notes[1]!.note.value + BigInt(withdrawal!.changeValue)),
    pendingWithdrawal: '0',
  })
  const { body } = await owner.get<{ commitments: { id: string; value: string; known: string }[] }>(
    `/pool/commitments?chainId=31337&token=${zeroAddress}`,
  )
  expect(body.commitments).toContainEqual(
    expect.objectContaining({ id: `${withdrawal!.label}-1`, value: withdrawal!.changeValue, known: 'told' }),
  )
})

it('neither recipient nor note stands readable in the database', async () => {
  const found = await service.database.pool.anyFirst(sql.type(z.object({ found: z.string() }))`
    select encode(sealed, 'escape') as found from pool_book union all
    select encode(sealed, 'escape') from pool_spend`)
  expect(found.length).toBeGreaterThan(1)
  const text = found.join('\n').toLowerCase()
  expect(text).not.toContain('a11ce')
  for (const { note } of notes) expect(text).not.toContain(String(note.label))
})

it('a spend to oneself gets a fresh address, and what was unlocked is free again', async () => {
  const { status, body: quote } = await ask({
    type: 'incognito_self_send',
    amount: String(parseEther('0.1')),
  })
  expect(status, JSON.stringify(quote)).toBe(200)
  const [{ recipient } = { recipient: undefined }] = quote.withdrawals
  const { body: known } = await owner.get<{ kind: string }>(
    `/recipient-address-kind?chainId=31337&address=${recipient}`,
  )
  expect(known.kind).toBe('own')
  expect((await pooled())['pendingWithdrawal']).not.toBe('0')
  const unlock = () => owner.post('/unlock', { quoteId: quote.quoteId })
  expect(await unlock()).toMatchObject({ status: 200 })
  expect(await unlock()).toMatchObject({ status: 200 })
  expect((await pooled())['pendingWithdrawal']).toBe('0')
  expect(await statusOf(quote.quoteId)).toMatchObject({ status: 'unlocked' })
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
    Array.from({ length: 4 }, () => ask({ type: 'incognito_send', amount: String(parseEther('0.1')) })),
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

it('what cannot be spent is refused with what would do', async () => {
  const spend = (more: Record<string, unknown>) => ask({ type: 'incognito_send', ...more })
  expect(await spend({ amount: String(parseEther('50')) })).toMatchObject({
    status: 400,
    body: { code: 'INSUFFICIENT_BALANCE' },
  })
  const { available } = await pooled()
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
    await ask({ type: 'incognito_self_send', amount: '5', destinationAddress: zeroAddress }),
  ).toMatchObject({ status: 400 })
})

it('nobody else sees or ends a told spend', async () => {
  const { body: quote } = await ask({ type: 'incognito_send', amount: String(parseEther('0.1')) })
  const stranger = await openDepositor(service, payer)
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
